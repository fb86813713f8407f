// The OpenAPI document of the HTTP API, made from the endpoints and events.
import { z } from "zod";
import type { ApiModel, EndpointModel, EventModel, ParameterModel } from "@/kernel/http/api-model.ts";
import type { Auth } from "@/kernel/http/endpoint.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { hoist, type Schema, schemaOf } from "./schemas.ts";

const description = `Texts are sent as they are, every other parameter as JSON. Parameters that an endpoint does not know are \
listed in \`ignored_parameters_unsupported\`. A request that is refused changes nothing; a change that is acknowledged is on \
disk. What the caller may not see is answered as if it did not exist. Times are UNIX seconds in UTC unless a name says otherwise.`;

/** The document, in OpenAPI 3.1. */
export function* openApi({ domains, events, errors }: ApiModel, version: string): Task<Schema> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { name, endpoints } of domains) {
    for (const endpoint of endpoints) {
      addTo(paths, name, endpoint);
      yield 1;
    }
  }
  const event: { oneOf: Schema[] } = { oneOf: [] };
  for (const one of events) {
    event.oneOf.push(eventSchema(one));
    yield 1;
  }
  const { document, components } = yield* hoist({ paths, event, failure: failure(errors) });
  return {
    openapi: "3.1.0",
    info: {
      title: "Confab",
      version,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    tags: domains.map(({ name, about }) => ({
      name,
      description: `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    })),
    paths: document.paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "basic", description: "An e-mail address and an API key." },
        token: { type: "http", scheme: "bearer", description: "A token of a monitoring program." },
        keyInAddress: { type: "apiKey", in: "query", name: "api_key", description: "A bot's API key." },
      },
      responses: {
        Failure: {
          description: "Why the request was refused, for people in `msg` and for programs in `code`.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
        },
      },
      schemas: {
        Done: schemaOf(z.object({ ...ok, ...ignored }), "output"),
        Failure: document.failure,
        Event: document.event,
        ...components,
      },
    },
  };
}

function addTo(paths: Record<string, Record<string, Schema>>, tag: string, endpoint: EndpointModel): void {
  const shape = templateOf(endpoint.path);
  const path = Object.keys(paths).find((one) => templateOf(one) === shape) ?? endpoint.path;
  const methods = paths[path] ?? {};
  paths[path] = methods;
  const method = endpoint.method.toLowerCase();
  const taken = methods[method];
  // To OpenAPI, paths are the same if only the names of their parameters differ, such as a user's ID and address.
  if (taken)
    taken.description = `${String(taken.description)}\n\nWith \`${endpoint.path}\`: ${endpoint.about}`;
  else methods[method] = operation(tag, endpoint, path);
}

const templateOf = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");

function operation(tag: string, endpoint: EndpointModel, path: string): Schema {
  const { id, about, method, headers, parameters, auth } = endpoint;
  const own = namesIn(endpoint.path);
  const inBody = method === "POST" || method === "PATCH" || method === "PUT";
  const others = parameters.filter(({ name }) => !own.includes(name));
  const given = [
    ...namesIn(path).map((name, at) =>
      pathParameter(
        name,
        parameters.find((one) => one.name === own[at]),
      ),
    ),
    ...(inBody ? [] : others.map(queryParameter)),
    ...Object.entries(headers).map(([name, rule]) => ({
      name,
      in: "header",
      schema: schemaOf(rule, "input"),
    })),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary: id.replaceAll("-", " "),
    description: about,
    ...securityOf(auth),
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(inBody && others.length > 0 ? { requestBody: form(others) } : {}),
    responses: { "200": success(endpoint), "4XX": { $ref: "#/components/responses/Failure" } },
  };
}

function securityOf(auth: Auth): Schema {
  if (auth === "none") return { security: [] };
  if (auth === "public") return { security: [{}, { key: [] }] };
  if (auth === "watcher") return { security: [{ token: [] }, { key: [] }] };
  return auth === "address" ? { security: [{ keyInAddress: [] }, { key: [] }] } : {};
}

function pathParameter(name: string, parameter: ParameterModel | undefined): Schema {
  const schema = parameter ? schemaOf(parameter.rule, "input") : { type: "string" };
  return { name, in: "path", required: true, schema };
}

function queryParameter({ name, alsoNamed, rule }: ParameterModel): Schema {
  const schema = schemaOf(rule, "input");
  const facts = { name, in: "query", required: isRequired(rule), ...describeNames(alsoNamed) };
  return isPlain(schema) ? { ...facts, schema } : { ...facts, content: { "application/json": { schema } } };
}

function describeNames(alsoNamed: readonly string[]): Schema {
  return alsoNamed.length > 0 ? { description: `Also accepted as ${alsoNamed.join(", ")}.` } : {};
}

function isRequired(rule: z.ZodType): boolean {
  return !rule.safeParse(undefined).success;
}

/** Whether values are sent as plain text rather than as JSON. */
function isPlain({ type }: Schema): boolean {
  return type === "string" || type === "integer" || type === "number" || type === "boolean";
}

/** A form; lists and objects are sent as JSON in their fields. */
function form(parameters: readonly ParameterModel[]): Schema {
  const properties: Record<string, Schema> = {};
  const encoding: Record<string, Schema> = {};
  for (const { name, alsoNamed, rule } of parameters) {
    const schema = schemaOf(rule, "input");
    properties[name] = { ...schema, ...describeNames(alsoNamed) };
    if (!isPlain(schema)) encoding[name] = { contentType: "application/json" };
  }
  const required = parameters.filter(({ rule }) => isRequired(rule)).map(({ name }) => name);
  const schema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  const isJson = Object.keys(encoding).length > 0;
  const content = { "application/x-www-form-urlencoded": { schema, ...(isJson ? { encoding } : {}) } };
  return { required: required.length > 0, content };
}

const ok = { result: z.literal("success"), msg: z.string() };
const ignored = { ignored_parameters_unsupported: z.array(z.string()).optional() };

function success({ id, returns }: EndpointModel): Schema {
  const json = (schema: Schema) => ({
    description: "It was done.",
    content: { "application/json": { schema } },
  });
  const event = { $ref: "#/components/schemas/Event" };
  const given = {
    ...returns,
    ...(id === "get-events" ? { events: z.array(z.any()), queue_id: z.string() } : {}),
  };
  if (Object.keys(given).length === 0) return json({ $ref: "#/components/schemas/Done" });
  const schema = schemaOf(z.object({ ...ok, ...ignored, ...given }), "output");
  const properties = schema.properties as Record<string, Schema>;
  if (id === "get-events") properties.events = { type: "array", items: event };
  return json(schema);
}

function eventSchema({ type, op, about, schema }: EventModel): Schema {
  const fields = schemaOf(schema, "output");
  const kinds: Record<string, Schema> = { id: { type: "integer" }, type: { const: type } };
  if (op !== undefined) kinds.op = { const: op };
  const heading = { title: op === undefined ? type : `${type}, ${op}`, description: about };
  const known = { type: "object", properties: kinds, required: Object.keys(kinds) };
  // Some events have several forms.
  if (!fields.properties) return { ...heading, allOf: [known, fields] };
  const properties = { ...kinds, ...(fields.properties as Record<string, Schema>) };
  const required = [...known.required, ...((fields.required as string[] | undefined) ?? [])];
  return { ...fields, ...heading, type: "object", properties, required };
}

function failure(errors: ApiModel["errors"]): Schema {
  return {
    type: "object",
    properties: {
      result: { const: "error" },
      msg: { type: "string" },
      code: { type: "string", enum: [...new Set(errors.map(({ code }) => code))] },
    },
    required: ["result", "msg", "code"],
  };
}
