// From the bytes of a request to an event and its words; no database.
import type { BodyReader, BodySource } from "@/kernel/endpoint.ts";
import { fail } from "@/kernel/errors.ts";
import { Piece } from "./payload.ts";
import { maxBodyBytes, maxDepth } from "./schema.ts";
import type { Call, Said, Sender } from "./sender.ts";
import { senderNamed, senders } from "./senders.ts";

/** Reads the body whole, as the parameter `payload`, whatever type it says it has: programs are careless about it. */
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

export function theSender(name: string): Sender {
  const known = senders.map((one) => one.name).join(", ");
  return senderNamed(name) ?? fail("NOT_FOUND", `There is no sender '${name}': it is one of ${known}.`);
}

/** JSON, or a form whose field `payload` is JSON, as GitHub and Slack's tools also send it. */
export function payloadOf(body: string): Piece {
  const isForm = /^\s*payload=/.test(body);
  const json = isForm ? (new URLSearchParams(body.trim()).get("payload") ?? "") : body;
  if (json.trim() === "") fail("INVALID_JSON", "The request has no body: post the event as JSON.");
  checkDepth(json);
  try {
    return new Piece(JSON.parse(json));
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

export interface Choice {
  only: readonly string[] | undefined;
  except: readonly string[] | undefined;
}

export type Read =
  | { event: string; outcome: "sent"; said: Said }
  | { event: string; outcome: "left_out" | "nothing_to_say" | "unknown_event" };

/** What a call says, with the events that its address asks for or leaves out. */
export function read(sender: Sender, call: Call, { only, except }: Choice): Read {
  const event = sender.eventOf(call).slice(0, 100);
  const words = sender.events[event] ?? sender.events[event.split(".")[0] ?? ""];
  if (!words) return { event, outcome: "unknown_event" };
  const isWanted = only ? isAmong(event, only) : !isAmong(event, sender.quiet);
  if (!isWanted || isAmong(event, except ?? [])) return { event, outcome: "left_out" };
  const said = words(call.payload, call);
  return said ? { event, outcome: "sent", said } : { event, outcome: "nothing_to_say" };
}

/** `issues.*` also stands for `issues` alone. */
function isAmong(event: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const pattern = name
      .split("*")
      .map((part) => RegExp.escape(part))
      .join(".*");
    return new RegExp(`^(?:${pattern})$`).test(event) || name === `${event}.*`;
  });
}
