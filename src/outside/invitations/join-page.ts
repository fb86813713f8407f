// The join page: HTML in a browser, JSON for programs.

import { z } from "zod";
import { leadTo, pageAnswer, refusalAnswer, speak, wantsPage } from "@/foundation/pages/frame.ts";
import { attempting, attemptLimit, refuseFor, showingKey } from "@/foundation/secrets/attempts.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { enterAs } from "@/foundation/sessions/actions.ts";
import { demandsTwoStep } from "@/foundation/two-step/access.ts";
import { easilyGuessed, emailAddress, fullName, password } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { check } from "@/kernel/http/wire.ts";
import { AppError, isError, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { acceptedLanguage } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import { acceptInvitation } from "./joining.ts";
import { closedPage, joinPage, type Typed, welcomePage } from "./pages.ts";
import { type InvitationDoor, lookUpInvitation } from "./queries.ts";

const newcomer = z.object({ full_name: fullName, email: emailAddress, password });

/** Shows the invitation with this key. */
export async function showInvitation(
  ctx: Ctx,
  key: string,
  request: RequestFacts,
): Promise<RawAnswer | object> {
  const look = () => showingKey(ctx, { address: request.address, account: null }, () => find(ctx, key, null));
  if (!wantsPage(request)) {
    const { organization, site, role, email } = await look();
    return { realm_name: organization, realm_url: site, invited_as: role, email };
  }
  const { translator } = speak(ctx, request);
  try {
    return pageAnswer(joinPage({ translator, door: await look(), key, typed: {} }));
  } catch (error) {
    return answerClosed(translator, error);
  }
}

export interface JoinRequest {
  key: string;
  given: Typed & { password?: string };
  request: RequestFacts;
}

/** Creates the account of an invited person; a browser is signed in, or shows what was refused in its form. */
export async function answerJoin(ctx: Ctx, joining: JoinRequest): Promise<RawAnswer | object> {
  const { key, given, request } = joining;
  if (!wantsPage(request)) {
    const { door, ...account } = await enter(ctx, joining);
    return { ...account, realm_name: door.organization, realm_url: door.site };
  }
  const { translator } = speak(ctx, request);
  try {
    const { user_id } = await enter(ctx, joining);
    if (demandsTwoStep(ctx)) return pageAnswer(welcomePage(translator));
    await enterAs(ctx, { user_id, request });
    return leadTo("/");
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) return answerClosed(translator, error);
    return correctable(ctx, { translator, key, given, error });
  }
}

/** The invitation with this key. Wrong keys are counted. */
function find(ctx: Ctx, key: string, account: string | null): InvitationDoor {
  try {
    return lookUpInvitation(ctx, key);
  } catch (error) {
    const isUnknown = isError(error, "MISSING");
    throw isUnknown ? new RefusedLogin(error, account, "NO_SUCH_INVITATION") : error;
  }
}

interface Welcomed {
  user_id: number;
  full_name: string;
  email: string;
  api_key: string;
  door: InvitationDoor;
}

/** Refused forms by invitation and network: they show which addresses have an account. Who lacks the invitation stops nobody. */
const refusedForms = perApp(({ clock }) => attemptLimit(clock, 30, 1800));

function enter(ctx: Ctx, { key, given, request }: JoinRequest): Promise<Welcomed> {
  const account = given.email ?? null;
  return showingKey(ctx, { address: request.address, account }, async () => {
    const door = find(ctx, key, account);
    const language = wantsPage(request) ? acceptedLanguage(request.header("accept-language")) : null;
    const limit = refusedForms(ctx);
    const tried = `${networkOf(request.address)} ${key}`;
    await attempting(account, async () => refuseFor(limit.take(tried), "attempts"));
    const person = check(newcomer, { ...given, email: given.email ?? door.email ?? undefined });
    const { user, api_key } = await acceptInvitation(ctx, key, { ...person, language });
    limit.giveBack(tried);
    const { user_id, full_name } = user;
    return { user_id, full_name, email: door.email ?? person.email, api_key, door };
  });
}

/** The form with its errors and with what was typed, except for the password. */
function correctable(
  ctx: Ctx,
  {
    translator,
    key,
    given,
    error,
  }: Omit<JoinRequest, "request"> & { translator: Translator; error: AppError },
): RawAnswer {
  const wrong = Object.entries(newcomer.shape).find(
    ([name, rule]) => !rule.safeParse(given[name as keyof typeof given]).success,
  );
  const field = error.message === easilyGuessed ? "password" : (wrong?.[0] ?? null);
  const { password: _, ...typed } = given;
  try {
    const refusal = { message: translator.say(error.sentence), field };
    const door = lookUpInvitation(ctx, key);
    return pageAnswer(joinPage({ translator, door, key, typed, refusal }), { status: error.status });
  } catch (over) {
    return answerClosed(translator, over);
  }
}

/** Says why the invitation does not work, and nothing about the organization. */
function answerClosed(translator: Translator, error: unknown): RawAnswer {
  return refusalAnswer(error, translator, closedPage(translator));
}
