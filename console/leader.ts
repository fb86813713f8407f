// Next to a cluster's node, changes go to the node's server, which passes them on to the node that leads. A list shows an error in one
// line, so what matters comes first.
import { AppError, englishOnly, failInEnglish as fail, listErrorKinds } from "@/kernel/lib/errors.ts";
import { changeCommand, notRun } from "@/operations/command-line/schema.ts";
import type { ChangeForwarder, Picture } from "./change.ts";
import { titleOf } from "./changes.ts";
import type { ServerLink } from "./server-link.ts";

/** For one answer. The change may still be made later: while NATS does not answer, the leader tries to save for a minute. */
const usualAnswerMs = 20_000;
/** For all tries, while the limit of requests refuses them. */
const patienceMs = 120_000;
const tooSoonMs = 500;

/** Sends changes by `request`, as the operator, to the server of this node. */
export function toLeader(
  request: ServerLink["request"],
  { answerMs = usualAnswerMs }: { answerMs?: number } = {},
): ChangeForwarder {
  return async (change, input, picture) => {
    const fields = {
      command: changeCommand,
      given: JSON.stringify({ change: titleOf(change) }),
      input: JSON.stringify(input),
    };
    const until = performance.now() + patienceMs;
    for (;;) {
      const signal = AbortSignal.timeout(answerMs);
      const body = picture ? withPicture(fields, picture) : new URLSearchParams(fields);
      const answer = await request("/api/v1/command", { method: "POST", body, signal }).catch(failUnanswered);
      if (!answer)
        return fail(
          "BAD_REQUEST",
          "Nothing was changed: this node's server does not run. Start it, and try again.",
        );
      const said: unknown = await answer.json().catch(failUnanswered);
      if (answer.ok) return (said as { document?: unknown }).document;
      if (!isTooSoon(answer) || performance.now() > until) return failRefused(answer, said);
      await Bun.sleep(tooSoonMs);
    }
  };
}

/** Whether the limit of requests has refused it, because one action for hundreds of rows is more than a minute's requests. */
function isTooSoon({ status, headers }: Response): boolean {
  return status === 429 && headers.get("x-ratelimit-remaining") === "0";
}

function withPicture(fields: Record<string, string>, { path }: Picture): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", Bun.file(path), "file");
  return form;
}

function failUnanswered(error: Error & { code?: unknown }): never {
  if (error.name === "TimeoutError")
    fail("BAD_REQUEST", "No answer yet: look whether the change was made before you try again.");
  const isUnsent = /^(ECONNREFUSED|ConnectionRefused)$/.test(String(error.code));
  fail(
    "BAD_REQUEST",
    isUnsent
      ? "Nothing was changed: this node's server does not answer. Try again soon."
      : "No answer from this node's server: look whether the change was made.",
  );
}

/** Throws the leader's error as this console would have had it. */
function failRefused({ status, headers }: Response, said: unknown): never {
  const { result: _, code = "", msg = "", ...data } = (said ?? {}) as Record<string, unknown>;
  // Such an answer is only given while surely nothing was saved.
  if (status === 503 && headers.has("retry-after"))
    fail("BAD_REQUEST", "Nothing was changed: no node can save now. Try again soon; M shows the nodes.");
  if (msg === notRun(changeCommand))
    fail("BAD_REQUEST", "Nothing was changed: the leader's Confab is too old for this. Use the command.");
  const kind = listErrorKinds().find((one) => one.wire === code && one.status === status);
  throw new AppError(
    kind ?? "BAD_REQUEST",
    englishOnly(String(msg) || `The server answered ${status}.`),
    data,
  );
}
