// How the console changes things: by an action of the core. In the folder of a cluster's node, the leader runs that action instead,
// with the same arguments and as the same user. What undoes an action can be told to a console elsewhere, as such changes.
import { z } from "zod";
import type { Ctx, Db } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { sentenceOf } from "@/kernel/lib/wording.ts";

/** A picture that a change reads. */
export interface Picture {
  path: string;
  name: string;
  size: number;
}

/** An action with the schemas of its input and result, which are used where another process runs it. */
interface ChangeDefinition<I, O> {
  /** Whether only the operator makes it, at the server's machine: it opens other people's accounts. */
  isHere?: boolean;
  run: (ctx: Ctx, input: I, picture: () => Picture) => Promise<O>;
  takes: z.ZodType<I>;
  returns: z.ZodType<O>;
}

export interface ConsoleChange<I = never, O = unknown> {
  (ctx: Ctx, input: I, picture?: Picture): Promise<O>;
  /** Runs it for a console next to another node, with the arguments that it sent. */
  readonly runForwarded: (ctx: Ctx, asked: ForwardedChange) => Promise<O>;
}

/** What another console asks for. */
export interface ForwardedChange {
  title: string;
  given: unknown;
  picture: () => Picture;
}

/** Has another process make a change; returns what that returned there, as JSON has it. */
export type ChangeForwarder = (
  change: ConsoleChange,
  input: unknown,
  picture: Picture | undefined,
) => Promise<unknown>;

const forwarders = new WeakMap<Db, ChangeForwarder>();

/** From now on, the forwarder makes the changes of what this database holds. */
export function forwardChangesBy({ db }: Pick<Ctx, "db">, forwarder: ChangeForwarder): void {
  forwarders.set(db, forwarder);
}

/** A change that is not made yet. */
export interface RecordedChange {
  change: ConsoleChange;
  input: unknown;
}

const recorders = new WeakMap<Ctx, RecordedChange[]>();

/** The changes that `run` would make; it must not need their results. */
export async function recordChanges(
  ctx: Ctx,
  run: (ctx: Ctx) => Promise<unknown>,
): Promise<readonly RecordedChange[]> {
  const recording: Ctx = { ...ctx };
  const changes: RecordedChange[] = [];
  recorders.set(recording, changes);
  await run(recording);
  return changes;
}

const nothing = z.unknown().transform((): void => undefined);

/** Without `returns`, what the action returns is dropped. */
export function change<I>(
  run: (ctx: Ctx, input: I) => Promise<unknown>,
  takes: z.ZodType<I>,
): ConsoleChange<I, void>;
export function change<I, O>(
  run: (ctx: Ctx, input: I) => Promise<O>,
  takes: z.ZodType<I>,
  returns: z.ZodType<O>,
): ConsoleChange<I, O>;
export function change<I>(
  run: (ctx: Ctx, input: I) => Promise<unknown>,
  takes: z.ZodType<I>,
  returns: z.ZodType = nothing,
): ConsoleChange<I> {
  return makeConsoleChange({ run, takes, returns });
}

/** An action that only the operator runs, at the server's machine. */
export function changeHere<I, O>(
  run: (ctx: Ctx, input: I) => Promise<O>,
  takes: z.ZodType<I>,
  returns: z.ZodType<O>,
): ConsoleChange<I, O> {
  return makeConsoleChange({ run, takes, returns, isHere: true });
}

/** An action that reads a picture. */
export function changeByPicture<I>(
  run: (ctx: Ctx, input: I & { received: Picture }) => Promise<unknown>,
  { takes, maxMib }: { takes: z.ZodType<I>; maxMib: number },
): ConsoleChange<I, void> {
  return makeConsoleChange({
    async run(ctx, input, picture) {
      const received = picture();
      if (received.size > maxMib * 1_048_576)
        fail("BAD_REQUEST", `The picture is larger than the maximum of ${maxMib} MiB.`);
      await run(ctx, { ...input, received });
    },
    takes,
    returns: nothing,
  });
}

function makeConsoleChange<I, O>({
  run: act,
  takes,
  returns,
  isHere = false,
}: ChangeDefinition<I, O>): ConsoleChange<I, O> {
  const run: ChangeDefinition<I, O>["run"] = async (ctx, input, picture) => {
    if (isHere && ctx.actor.by)
      fail("BAD_REQUEST", "Only the operator may do this, by the console at the server's machine.");
    return act(ctx, input, picture);
  };
  // Refuses unknown arguments: a console of a newer version may send some, which this one would drop silently.
  const rule = takes instanceof z.ZodObject ? takes.strict() : takes;
  const call = async (ctx: Ctx, input: I, picture?: Picture): Promise<O> => {
    const recorder = recorders.get(ctx);
    if (recorder) {
      recorder.push({ change: made, input });
      return undefined as O;
    }
    const forwarder = forwarders.get(ctx.db);
    if (!forwarder) return run(ctx, input, () => picture ?? fail("BAD_REQUEST", "The picture is missing."));
    const answer = returns.safeParse(await forwarder(made, input, picture));
    // The leader's entry is in this database by now.
    ctx.db.noticeOthers(ctx);
    if (answer.success) return answer.data;
    return fail(
      "BAD_REQUEST",
      "The change was made, but its result cannot be shown: the leader runs another version of Confab.",
    );
  };
  const made: ConsoleChange<I, O> = Object.assign(call, {
    async runForwarded(ctx: Ctx, { title, given, picture }: ForwardedChange) {
      const input = rule.safeParse(given);
      if (input.success) return returns.parse(await run(ctx, input.data as I, picture));
      const [issue] = input.error.issues;
      return fail("BAD_REQUEST", sentenceOf(issue?.path.join(".") || title, issue));
    },
  });
  return made;
}
