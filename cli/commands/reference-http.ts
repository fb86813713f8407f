// The page that describes the HTTP API, generated from the endpoints and events.
import { z } from "zod";
import { apiModel } from "@/api-model.ts";
import type { EndpointModel, EventModel, ParameterModel } from "@/kernel/http/api-model.ts";
import { shapeText } from "@/kernel/http/shape-text.ts";

const opening = `# HTTP API

This page is generated from the endpoints and events: \`confab reference http\` prints it. Do not edit it; \`npm run generate\` writes it into docs/reference.

What each endpoint and event of the API promises.

## Conventions

- **Address.** Endpoints lie under \`/api/v1\`, but for a few addresses of files, pages and the operator's endpoints, which this page gives in full.
- **Who asks.** HTTP Basic with an e-mail address and an API key. Browsers have a session instead (\`sign-in\`): the same endpoints answer it under \`/json\`, and a request that changes something carries the cookie \`csrftoken\` (over TLS \`__Host-csrftoken\`) again in the header \`X-CSRFToken\`. Files and pictures at the server's root take either. Endpoints marked *public* also answer without credentials, with what is public on the web; those marked *no credentials* never look at them.
- **Parameters** come in the query string or, except with GET, in a form body (urlencoded or multipart). Texts are sent as they are, everything else as JSON. Names that an endpoint does not know are listed in \`ignored_parameters_unsupported\`. Where this page says "also as", clients of other versions use that name.
- **Answers** are JSON with \`"result": "success"\` and an empty \`msg\`, or \`"result": "error"\` with a \`msg\` for people and a \`code\` for programs. In the session of a browser, \`msg\` may be in the person's language. What the caller may not see is answered as if it did not exist.
- **All or nothing.** A request that is refused changes nothing. A change that is acknowledged is on disk.
- **Not now.** In a cluster, the status 503 with \`SERVER_NOT_READY\` and \`Retry-After\` means that nothing was saved, so that a client may ask again by itself; without \`Retry-After\`, look first (or repeat a [send](#send-message) by its \`Idempotency-Key\`). A successful answer with the header \`x-confab-not-here-yet\` was saved, and the node that answered does not show it yet.
- **Limits.** Requests are limited per user and per address (\`RATE_LIMIT_HIT\`, with \`retry-after\` in seconds). Answers over a kilobyte are compressed as \`Accept-Encoding\` allows.
- **Times** are UNIX seconds in UTC unless a name says otherwise.`;

export function httpPage(): string {
  const { domains, events, errors } = apiModel();
  const codes = new Map<string, Set<number>>();
  for (const { code, status } of errors) codes.set(code, (codes.get(code) ?? new Set()).add(status));
  return [
    opening,
    "## Errors",
    [...codes].map(([code, statuses]) => `- \`${code}\` (${[...statuses].join(", ")})`).join("\n"),
    "## Endpoints",
    domains
      .map(({ name, about, endpoints }) => `- **${name}** (${about}): ${endpoints.map(linkTo).join(", ")}`)
      .join("\n"),
    ...domains.flatMap(({ endpoints }) => endpoints.map(endpointSection)),
    "## Events",
    "What a client reads from `get-events` after `register-queue`. Each has its `type`, where one type knows several kinds of change an `op`, and an `id`, which grows. Clients of different age read some events in different forms, according to the capabilities they declared.",
    ...events.map(eventSection),
  ].join("\n\n");
}

function linkTo({ id }: EndpointModel): string {
  return `[${id}](#${id})`;
}

const credentials = {
  user: "",
  address: " (the key may be `api_key` in the address)",
  watcher: " (or a token of `confab metrics make-token`)",
  public: " (public)",
  none: " (no credentials)",
};

function endpointSection({
  id,
  about,
  method,
  path,
  auth,
  headers,
  parameters,
  returns,
}: EndpointModel): string {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const given = [
    ...parameters.map((one) => parameterItem(one, inPath.has(one.name))),
    ...Object.keys(headers).map((name) => `- \`${name}\`: a header, optional`),
  ];
  const fields = returns && Object.keys(returns).length > 0 ? z.object(returns) : null;
  return [
    `### ${id}`,
    `\`${method} ${path}\`${credentials[auth]}`,
    about,
    ...(given.length > 0 ? [given.join("\n")] : []),
    ...(fields ? [`Returns:\n\n\`\`\`ts\n${shapeText(fields)}\n\`\`\``] : []),
  ].join("\n\n");
}

function parameterItem({ name, alsoNamed, rule }: ParameterModel, isInPath: boolean): string {
  const { shape, isRequired, fallback } = inputOf(rule);
  const facts = [
    isInPath ? "in the path" : isRequired ? "required" : "",
    fallback === undefined ? "" : `default \`${JSON.stringify(fallback)}\``,
    alsoNamed.length > 0 ? `also as ${alsoNamed.map((other) => `\`${other}\``).join(", ")}` : "",
  ].filter(Boolean);
  return `- \`${name}\`: ${shape}${facts.length > 0 ? ` (${facts.join("; ")})` : ""}`;
}

function inputOf(rule: z.ZodType): { shape: string; isRequired: boolean; fallback: unknown } {
  const empty = rule.safeParse(undefined);
  const shape = shapeText(rule, "input").replaceAll(/\s+/g, " ");
  return { shape: `\`${shape}\``, isRequired: !empty.success, fallback: empty.data };
}

function eventSection({ type, op, about, schema }: EventModel): string {
  return [
    `### ${op === undefined ? type : `${type}, ${op}`}`,
    about,
    `\`\`\`ts\n${shapeText(schema)}\n\`\`\``,
  ].join("\n\n");
}
