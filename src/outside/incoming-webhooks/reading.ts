// Turns the body of a request into an event and its message, without the database.
import type { BodyReader, BodySource } from "@/kernel/http/endpoint.ts";
import { readForm } from "@/kernel/http/forms.ts";
import { tooMuchJson } from "@/kernel/http/json-limits.ts";
import { isMultipart, readMultipart } from "@/kernel/http/multipart.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { firstOf, PayloadValue } from "./payload.ts";
import { maxBodyBytes, maxDepth, type WebhookTemplate } from "./schema.ts";
import type { IncomingCall, PayloadWording, Said, WebhookSender } from "./sender.ts";
import { senderNamed, senders } from "./senders.ts";

/** Reads the whole body as the parameter `payload`. Ignores its content type, which is often wrong. */
export const wholeBody: BodyReader = async (_, request) => {
  if (Number(request.header("content-length") ?? 0) > maxBodyBytes) tooLarge();
  const text = await textOf(request);
  return { fields: new Map([["payload", text]]), files: [], discard() {} };
};

async function textOf(request: BodySource): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tooLarge(): never {
  fail("BODY_TOO_LARGE", `The request is too large: at most ${maxBodyBytes} bytes are allowed.`);
}

export function theSender(name: string): WebhookSender {
  return senderNamed(name) ?? failNoSender(name);
}

/** `fields` are those of an event that was posted. */
export function failNoSender(name: string, fields: readonly string[] = []): never {
  const known = senders.map((one) => one.name).join(", ");
  const posted =
    fields.length === 0
      ? ""
      : ` For others, give the bot a template and post to json; these fields were posted: ${fields.join(", ")}.`;
  return fail("NOT_FOUND", `There is no sender '${name}': it is one of ${known}.${posted}`);
}

/** The fields of a multipart body; null if it is another one. */
export async function partsOf(body: string, contentType: string): Promise<Map<string, string> | null> {
  if (!isMultipart(contentType)) return null;
  const fields = new Map<string, string>();
  const field = (name: string, value: string) => void fields.set(name, value);
  const bytes = async function* () {
    yield Buffer.from(body);
  };
  await readMultipart(bytes(), { contentType, maxFieldBytes: maxBodyBytes }, { field });
  return fields;
}

export interface GivenPayload {
  body: string;
  /** The fields of a multipart body. */
  parts?: Map<string, string> | null;
  /** What the URL has besides our own parameters. */
  query?: Map<string, string>;
}

/** Finds the payload in JSON, in a form, or in the query of the URL. */
export function payloadOf(
  { body, parts = null, query }: GivenPayload,
  { form = {}, handshake }: Pick<WebhookSender, "form" | "handshake"> = {},
): PayloadValue {
  if (parts) return payloadIn(parts, form);
  if (/^\s*[\w.%+*[\]-]+=/.test(body)) {
    const fields = new Map<string, string>();
    readForm(body.trim(), fields);
    return payloadIn(fields, form);
  }
  if (body.trim() !== "") return parsePayload(body);
  if (form.inQuery && query && query.size > 0) return payloadIn(query, form);
  if (handshake) return new PayloadValue({});
  return fail("INVALID_JSON", "The request has no body: post the event as JSON.");
}

type FormRule = NonNullable<WebhookSender["form"]>;

function payloadIn(fields: Map<string, string>, { whole = "payload", json = [] }: FormRule): PayloadValue {
  const text = fields.get(whole);
  if (text !== undefined) return parsePayload(text);
  const entries = [...fields].map(([name, value]) => {
    return [name, json.includes(name) && value !== "" ? parsePayload(value).value : value] as const;
  });
  return new PayloadValue(Object.fromEntries(entries));
}

function parsePayload(json: string): PayloadValue {
  if (json.trim() === "") fail("INVALID_JSON", "The request has no body: post the event as JSON.");
  checkDepth(json);
  const much = tooMuchJson(json);
  if (much) fail("INVALID_JSON", `The body ${much}.`);
  try {
    return new PayloadValue(JSON.parse(json));
  } catch {
    return fail("INVALID_JSON", "The body of the request is not valid JSON.");
  }
}

function checkDepth(json: string): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isText) {
      if (sign === "\\") at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth--;
    if (depth > maxDepth) fail("INVALID_JSON", `The body is nested more than ${maxDepth} levels deep.`);
  }
}

const maxId = 300;

/** The ID by which a sender repeats a delivery; empty if it gives none. */
export function deliveryOf({ deliveryOf: given }: WebhookSender, call: IncomingCall): string {
  const standard = firstOf(call.header("idempotency-key"), call.header("webhook-id"));
  return (given?.(call) || standard).slice(0, maxId);
}

export interface EventChoice {
  only: readonly string[] | undefined;
  except: readonly string[] | undefined;
}

export type ReadPost =
  | { event: string; outcome: "sent"; said: Said }
  | { event: string; outcome: "left_out" | "nothing_to_say" | "unknown_event" };

/** The message about a request, if its URL does not exclude the event. */
export function read(sender: WebhookSender, call: IncomingCall, { only, except }: EventChoice): ReadPost {
  const event = sender.eventOf(call).slice(0, 100);
  const listed = listedWording(sender, event) ?? listedWording(sender, event.split(".")[0] ?? "");
  const words = listed ?? (event === "unknown" ? undefined : wordingOf(sender, "*"));
  if (!words) return { event, outcome: "unknown_event" };
  const isUsual = listed !== undefined && !isAmong(event, sender.quiet);
  const isWanted = only ? isAmong(event, only) : isUsual;
  if (!isWanted || isAmong(event, except ?? [])) return { event, outcome: "left_out" };
  const said = words(call.payload, call, event);
  return said ? { event, outcome: "sent", said } : { event, outcome: "nothing_to_say" };
}

/** What a sender says of an event; the event's name may be any text, such as "constructor". */
function wordingOf({ events }: WebhookSender, event: string): PayloadWording | undefined {
  return Object.hasOwn(events, event) ? events[event] : undefined;
}

/** As `wordingOf`; an event may call itself "*", which stands for those that are not listed. */
function listedWording(sender: WebhookSender, event: string): PayloadWording | undefined {
  return event === "*" ? undefined : wordingOf(sender, event);
}

/** The message about the sample event of a sender. */
export function sampleOf(sender: WebhookSender): Said {
  const { headers, payload } = sender.sample;
  const call = callFrom({ payload: new PayloadValue(payload), body: JSON.stringify(payload), headers });
  const found = read(sender, call, { only: ["*"], except: undefined });
  if (found.outcome !== "sent") throw new Error(`The sample event of ${sender.name} causes no message`);
  return found.said;
}

interface CallWithoutRequest {
  payload: PayloadValue;
  body: string;
  headers: Readonly<Record<string, string>>;
  options?: Readonly<Record<string, string>>;
  template?: WebhookTemplate | null;
}

/** A call that is only tried. */
export function callFrom({
  payload,
  body,
  headers,
  options = {},
  template = null,
}: CallWithoutRequest): IncomingCall {
  const header = (name: string) => headers[name] ?? "";
  const option = (name: string) => options[name] ?? "";
  return { payload, body, addresses: [], now: 0, template, header, option };
}

/** Whether a pattern matches the event; `issues.*` also matches `issues`. */
function isAmong(event: string, names: readonly string[]): boolean {
  return names.some((name) => matches(event, name) || name === `${event}.*`);
}

/** Whether a pattern with `*` matches, in linear time: a regular expression of many `*` could take hours. */
function matches(event: string, pattern: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return event === first;
  if (!event.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = event.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return event.length - last.length >= at && event.endsWith(last);
}
