// All changes that the console makes, for a server that makes them for a console beside another node.
import type { Ctx } from "@/kernel/context.ts";
import { changeNamed, type Picture } from "./change.ts";
import * as organization from "./changes/organization.ts";
import * as people from "./changes/people.ts";
import * as places from "./changes/places.ts";

export const changes = Object.values({ ...organization, ...people, ...places });

/** Makes a change as the actor, with its arguments from outside; returns its result, for JSON. */
export async function makeChange(
  ctx: Ctx,
  title: string,
  { given, picture }: { given: unknown; picture: () => Picture },
): Promise<unknown> {
  return changeNamed(title, changes).forOther(ctx, given, picture);
}
