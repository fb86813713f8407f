// Turns the body of a request into an event and its message, without the database.
import type { BodyReader, BodySource } from "@/kernel/http/endpoint.ts";
import { tooMuchJson } from "@/kernel/http/json-limits.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { PayloadValue } from "./payload.ts";
import { maxBodyBytes, maxDepth } from "./schema.ts";
import type { IncomingCall, Said, WebhookSender } from "./sender.ts";
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
  const known = senders.map((one) => one.name).join(", ");
  return senderNamed(name) ?? fail("NOT_FOUND", `There is no sender '${name}': it is one of ${known}.`);
}

/** Parses JSON, or a form whose field `payload` is JSON, which GitHub and tools for Slack may send. */
export function payloadOf(body: string): PayloadValue {
  const isForm = /^\s*payload=/.test(body);
  const json = isForm ? (new URLSearchParams(body.trim()).get("payload") ?? "") : body;
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
  const words = sender.events[event] ?? sender.events[event.split(".")[0] ?? ""];
  if (!words) return { event, outcome: "unknown_event" };
  const isWanted = only ? isAmong(event, only) : !isAmong(event, sender.quiet);
  if (!isWanted || isAmong(event, except ?? [])) return { event, outcome: "left_out" };
  const said = words(call.payload, call);
  return said ? { event, outcome: "sent", said } : { event, outcome: "nothing_to_say" };
}

/** The message about the sample event of a sender. */
export function sampleOf(sender: WebhookSender): Said {
  const { headers, payload } = sender.sample;
  const body = JSON.stringify(payload);
  const header = (name: string) => headers[name] ?? "";
  const call = { payload: new PayloadValue(payload), body, header, option: () => "" };
  const found = read(sender, call, { only: ["*"], except: undefined });
  if (found.outcome !== "sent") throw new Error(`The sample event of ${sender.name} causes no message`);
  return found.said;
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
