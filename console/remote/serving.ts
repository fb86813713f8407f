// The server's side of a console elsewhere: reads the same screens as that person, and runs their forms and actions.

import type { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { sentenceOf } from "@/kernel/lib/wording.ts";
import {
  describeForm,
  describeOutcome,
  listPicks,
  makeForm,
  remark,
  runAction,
  submit,
  undo,
} from "./acting.ts";
import { readDetails, readRows, welcomeFor } from "./reading.ts";
import { eventIn, openServing, type ServingHost } from "./request.ts";
import { actRequest, lookRequest } from "./schema.ts";

/** Answers what a console elsewhere asks as the actor; `asked` is not checked yet. */
export async function answerLook(ctx: Ctx, asked: unknown, host: ServingHost): Promise<unknown> {
  const request = checked(lookRequest, asked);
  if (request.ask === "screens") return welcomeFor(ctx, host);
  const serving = openServing(ctx, host, request.chosen, eventIn(request));
  if (request.ask === "rows") return readRows(serving, request);
  if (request.ask === "details") return readDetails(serving, request);
  if (request.ask === "form") return describeForm(await makeForm(serving, request));
  if (request.ask === "picks") return { picks: await listPicks(serving, request) };
  return remark(serving, request);
}

/** Changes something as the actor. */
export async function answerAct(ctx: Ctx, asked: unknown, host: ServingHost): Promise<unknown> {
  const request = checked(actRequest, asked);
  if (request.act === "undo") return undo(ctx, request.changes);
  const serving = openServing(ctx, host, request.chosen);
  const outcome =
    request.act === "submit" ? await submit(serving, request) : await runAction(serving, request);
  return describeOutcome(serving, request.chosen, outcome);
}

function checked<S extends z.ZodType>(rule: S, asked: unknown): z.output<S> {
  const read = rule.safeParse(asked);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return fail("BAD_REQUEST", sentenceOf(issue?.path.join(".") || "The request", issue));
}
