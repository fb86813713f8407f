// Sends a command to a server's command runner: for changes next to a cluster's node, and for a console elsewhere.
import { AppError, englishOnly, listErrorKinds } from "@/kernel/lib/errors.ts";
import type { Picture } from "./change.ts";
import type { ServerLink } from "./server-link.ts";

/** For all tries, while the limit of requests refuses them. */
const patienceMs = 120_000;
const tooSoonMs = 500;

export interface SentCommand {
  fields: Readonly<Record<string, string>>;
  file?: Pick<Picture, "path"> | undefined;
  answerMs: number;
  /** Throws because there was no answer. */
  failUnanswered: (error: Error & { code?: unknown }) => never;
}

export interface CommandAnswer {
  ok: boolean;
  status: number;
  headers: Headers;
  body: Readonly<Record<string, unknown>>;
}

/** Null if no server runs. */
export async function sendCommand(
  request: ServerLink["request"],
  { fields, file, answerMs, failUnanswered }: SentCommand,
): Promise<CommandAnswer | null> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const signal = AbortSignal.timeout(answerMs);
    const body = file ? withFile(fields, file) : new URLSearchParams(fields);
    const answer = await request("/api/v1/command", { method: "POST", body, signal }).catch(failUnanswered);
    if (!answer) return null;
    const said: unknown = await answer.json().catch(failUnanswered);
    const { ok, status, headers } = answer;
    if (ok || !isTooSoon(answer) || performance.now() > until)
      return { ok, status, headers, body: (said ?? {}) as Record<string, unknown> };
    await Bun.sleep(tooSoonMs);
  }
}

/** Whether the limit of requests has refused it, because one action for hundreds of rows is more than a minute's requests. */
function isTooSoon({ status, headers }: Response): boolean {
  return status === 429 && headers.get("x-ratelimit-remaining") === "0";
}

function withFile(fields: Readonly<Record<string, string>>, { path }: Pick<Picture, "path">): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", Bun.file(path), "file");
  return form;
}

/** The server's error as this console would have had it. */
export function errorOf({ status, body }: CommandAnswer): AppError {
  const { result: _, code = "", msg = "", ...data } = body;
  const kind = listErrorKinds().find((one) => one.wire === code && one.status === status);
  return new AppError(
    kind ?? "BAD_REQUEST",
    englishOnly(String(msg) || `The server answered ${status}.`),
    data,
  );
}
