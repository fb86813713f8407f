// The page of the first visit. It works without scripts.
import { framePage, leadTo, pageAnswer, refusalAnswer, speak, wantsPage } from "@/foundation/pages/frame.ts";
import { limits, realmSettings } from "@/foundation/realm/schema.ts";
import { closedPage } from "@/foundation/sessions/link-page.ts";
import { easilyGuessed } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { check } from "@/kernel/http/wire.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import type { Translator } from "@/text/language/translator.ts";
import { completeFirstVisit, isFirstVisit } from "./actions.ts";
import { type Introduction, introduction } from "./schema.ts";

type Said = { [K in keyof Introduction]?: string | undefined };

interface Form {
  translator: Translator;
  said: Said;
  refusal?: { message: string; field: string | null };
}

/** The form; to programs, what the organization is called so far. A link that only signs in leads to its own page. */
export async function showFirstVisit(
  ctx: Ctx,
  key: string,
  request: RequestFacts,
): Promise<RawAnswer | object> {
  const { name: realm_name } = realmSettings.read(ctx);
  if (!wantsPage(request)) {
    const is_first_visit = await isFirstVisit(ctx, { key, request });
    return { is_first_visit, realm_name };
  }
  const { translator } = speak(ctx, request);
  try {
    if (!(await isFirstVisit(ctx, { key, request }))) return leadTo(`/login/link/${key}`);
    const isMadeUp = realm_name === realmSettings.table.name.fallback;
    return pageAnswer(formPage({ translator, said: isMadeUp ? {} : { realm_name } }));
  } catch (error) {
    return refusalAnswer(error, translator, closedPage(translator));
  }
}

export interface FirstVisit {
  key: string;
  said: Said;
  request: RequestFacts;
}

/** Stores what was said; a browser is signed in, or shows what was refused in its form. */
export async function answerFirstVisit(
  ctx: Ctx,
  { key, said, request }: FirstVisit,
): Promise<RawAnswer | object> {
  const complete = async () => completeFirstVisit(ctx, { ...check(introduction, said), key, request });
  if (!wantsPage(request)) return { user_id: await complete() };
  const { translator } = speak(ctx, request);
  try {
    await complete();
    return leadTo("/");
  } catch (error) {
    const isFixable =
      error instanceof AppError && error.status === 400 && (await isStillFirst(ctx, { key, request }));
    if (!isFixable) return refusalAnswer(error, translator, closedPage(translator));
    const field = fieldOf(error, said);
    return refusalAnswer(error, translator, (message) =>
      formPage({ translator, said, refusal: { message, field } }),
    );
  }
}

function isStillFirst(ctx: Ctx, visiting: Pick<FirstVisit, "key" | "request">): Promise<boolean> {
  return isFirstVisit(ctx, visiting).catch(() => false);
}

function fieldOf({ message }: AppError, said: Said): string | null {
  if (message === easilyGuessed) return "password";
  const names = Object.keys(introduction.shape) as (keyof Introduction)[];
  return names.find((name) => !introduction.shape[name].safeParse(said[name]).success) ?? null;
}

function formPage(form: Form): Html {
  const { translator, refusal } = form;
  const { t } = translator;
  const { password_min_length: min, password_max_length: max } = limits;
  return framePage({ translator, title: t("Set up your chat") }, [
    html`<h1>${t("Set up your chat")}</h1>
<p class="lead">${t("It is new, and nobody has been here before. You become its owner.")}</p>
${refusal !== undefined && html`<p class="wrong" role="alert" id="refusal">${refusal.message}</p>`}
<form method="post">
<label for="realm_name">${t("Name of the organization")}</label>
<input ${attributes(form, "realm_name")} type="text" autocomplete="organization" maxlength="40">
<label for="full_name">${t("Your name")}</label>
<input ${attributes(form, "full_name")} type="text" autocomplete="name" minlength="2" maxlength="100">
<label for="email">${t("Email address")}</label>
<input ${attributes(form, "email")} type="email" dir="ltr" autocomplete="username" maxlength="254">
<label for="password">${t("Password")}</label>
<input ${attributes(form, "password")} type="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" aria-describedby="password-hint">
<p class="hint" id="password-hint">${t("At least {min, number} characters. A few unrelated words are easy to remember and hard to guess.", { min })}</p>
<button type="submit">${t("Open the chat")}</button>
</form>`,
  ]);
}

/** Of an input: what was typed, but no password; autofocus for the first field or the wrong one, and its error state. */
function attributes({ said, refusal }: Form, name: keyof Introduction): Html {
  const isWrong = refusal?.field === name;
  const value = name === "password" ? "" : (said[name] ?? "");
  return html`id="${name}" name="${name}" value="${value}" required${
    isWrong && html` aria-invalid="true" aria-errormessage="refusal"`
  }${(refusal?.field ?? "realm_name") === name && html` autofocus`}`;
}
