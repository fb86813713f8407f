// Next to a cluster's node, changes go to the node's server, which passes them on to the node that leads. A list shows an error in one
// line, so what matters comes first.
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { changeCommand, notRun } from "@/operations/command-line/schema.ts";
import type { ChangeForwarder } from "./change.ts";
import { titleOf } from "./changes.ts";
import { type CommandAnswer, errorOf, sendCommand } from "./sending.ts";
import type { ServerLink } from "./server-link.ts";

/** For one answer. The change may still be made later: while NATS does not answer, the leader tries to save for a minute. */
const usualAnswerMs = 20_000;

/** Sends changes by `request`, as the operator, to the server of this node. */
export function toLeader(
  request: ServerLink["request"],
  { answerMs = usualAnswerMs }: { answerMs?: number } = {},
): ChangeForwarder {
  return async (change, input, file) => {
    const fields = {
      command: changeCommand,
      given: JSON.stringify({ change: titleOf(change) }),
      input: JSON.stringify(input),
    };
    const answer = await sendCommand(request, { fields, file, answerMs, failUnanswered });
    if (!answer)
      return fail(
        "BAD_REQUEST",
        "Nothing was changed: this node's server does not run. Start it, and try again.",
      );
    return answer.ok ? answer.body.document : failRefused(answer);
  };
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
function failRefused(answer: CommandAnswer): never {
  // Such an answer is only given while surely nothing was saved.
  if (answer.status === 503 && answer.headers.has("retry-after"))
    fail("BAD_REQUEST", "Nothing was changed: no node can save now. Try again soon; M shows the nodes.");
  if (answer.body.msg === notRun(changeCommand))
    fail("BAD_REQUEST", "Nothing was changed: the leader's Confab is too old for this. Use the command.");
  throw errorOf(answer);
}
