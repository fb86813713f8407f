// All changes that the console makes, for a server that makes them for a console next to another node.
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { ConsoleChange, ForwardedChange } from "./change.ts";
import * as organization from "./changes/organization.ts";
import * as people from "./changes/people.ts";
import * as places from "./changes/places.ts";

/** By the name of their constant, which both processes know: a change that gets another name is unknown to an older version. */
export const changes: ReadonlyMap<string, ConsoleChange> = new Map(
  Object.entries<ConsoleChange>({ ...organization, ...people, ...places }),
);
const titles = new Map([...changes].map(([title, one]) => [one, title]));

export function titleOf(change: ConsoleChange): string {
  const title = titles.get(change);
  if (title === undefined) throw new Error("This change is not among those of console/changes");
  return title;
}

/** Makes a change as the actor, with its arguments from outside; returns its result, for JSON. */
export async function makeChange(ctx: Ctx, asked: ForwardedChange): Promise<unknown> {
  const { title } = asked;
  const change =
    changes.get(title) ??
    fail(
      "BAD_REQUEST",
      `Use the command for this: the leader's Confab does not know this change (${title}).`,
    );
  return change.runForwarded(ctx, asked);
}
