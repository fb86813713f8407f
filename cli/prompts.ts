// Asks the person who runs a command: at this terminal or, if a server runs the command, at a remote program. That sends what the
// person typed, or asks them.
import { AsyncLocalStorage } from "node:async_hooks";
import { AppError, englishOnly, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Needed, SentFile } from "@/operations/command-line/schema.ts";

interface PromptAnswers {
  input: string | undefined;
  agreed: boolean;
  file: SentFile | undefined;
}

const remotePerson = new AsyncLocalStorage<PromptAnswers>();

/** Runs a command for a person at a remote program. */
export function forRemotePerson<R>(sent: PromptAnswers, work: () => Promise<R>): Promise<R> {
  return remotePerson.run(sent, work);
}

export function isRemote(): boolean {
  return remotePerson.getStore() !== undefined;
}

/** What the remote person has sent; null if the person is here. */
export function inputSent(needs: "input" | "secret", question = ""): string | null {
  const sent = remotePerson.getStore();
  if (!sent) return null;
  return sent.input ?? ask({ needs, question });
}

/** The file that the remote person has sent; null if the person is here. */
export function fileSent(): SentFile | null {
  const sent = remotePerson.getStore();
  if (!sent) return null;
  return sent.file ?? fail("BAD_REQUEST", "The command came without the file that it reads.");
}

/** Whether the remote person has agreed; null if the person is here. */
export function agreementSent(question: string): true | null {
  const sent = remotePerson.getStore();
  if (!sent) return null;
  return sent.agreed ? true : ask({ needs: "agreement", question });
}

function ask(needed: Needed): never {
  throw new AppError("BAD_REQUEST", englishOnly("The command needs something of the person who gave it."), {
    ...needed,
  });
}
