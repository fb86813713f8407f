// The page of a link that confirms a new address. Opening it changes nothing, because programs open links for previews.

import { framePage, markUp, pageAnswer, refusalAnswer, speak, wantsPage } from "@/foundation/pages/frame.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { twoStepErrors } from "@/foundation/two-step/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { isError } from "@/kernel/lib/errors.ts";
import type { Translator } from "@/text/language/translator.ts";
import { followChange, lookUpChange } from "./actions.ts";
import type { WaitingLink } from "./schema.ts";

export async function showChange(
  ctx: Ctx,
  key: string,
  request: RequestFacts,
): Promise<RawAnswer | WaitingLink> {
  if (!wantsPage(request)) return lookUpChange(ctx, { key, request });
  const { translator } = speak(ctx, request);
  try {
    return pageAnswer(confirmPage(translator, await lookUpChange(ctx, { key, request })));
  } catch (error) {
    return refusalAnswer(error, translator, closedPage(translator));
  }
}

export async function answerChange(
  ctx: Ctx,
  following: Parameters<typeof followChange>[1],
): Promise<RawAnswer | { email: string }> {
  if (!wantsPage(following.request)) return { email: await followChange(ctx, following) };
  try {
    const email = await followChange(ctx, following);
    return pageAnswer(donePage(speak(ctx, following.request).translator, email));
  } catch (error) {
    return askAgain(ctx, following, error);
  }
}

/** Shows the form again with what was wrong, or that the link does not work. */
async function askAgain(
  ctx: Ctx,
  { key, request }: Parameters<typeof followChange>[1],
  error: unknown,
): Promise<RawAnswer> {
  const { translator } = speak(ctx, request);
  if (isError(error, "MISSING")) return refusalAnswer(error, translator, closedPage(translator));
  const asksCode = isError(error, twoStepErrors.TWO_STEP_REQUIRED) || isError(error, authErrors.WRONG_CODE);
  try {
    const link = await lookUpChange(ctx, { key, request });
    return refusalAnswer(error, translator, (wrong) => confirmPage(translator, link, { wrong, asksCode }));
  } catch (over) {
    return refusalAnswer(over, translator, closedPage(translator));
  }
}

function confirmPage(
  translator: Translator,
  { full_name, email, new_email, needs_password }: WaitingLink,
  { wrong, asksCode = false }: { wrong?: string; asksCode?: boolean } = {},
): Html {
  const { t } = translator;
  const title = t("Confirm your new address");
  return framePage({ translator, title }, [
    html`<h1>${title}</h1>
<p class="lead">${t(
      "The account of {full_name}, {email}, gets the address {new_email}. Confirm it only if this is your account.",
      { full_name, email, new_email },
    )}</p>
${wrong !== undefined && html`<p class="wrong" role="alert">${wrong}</p>`}
<form method="post">
${needs_password && passwordFields(translator, email, asksCode)}<button type="submit">${t("Confirm")}</button>
</form>`,
  ]);
}

function passwordFields({ t, parts }: Translator, email: string, asksCode: boolean): Html {
  const hint = parts(
    "A program asked for this change, so the password is needed too. Or <link>sign in</link>, and open the link again.",
  );
  return html`<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">${t("Password")}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="${limits.password_max_length}" required autofocus aria-describedby="password-hint">
<p class="hint" id="password-hint">${markUp(hint, { link: (content) => html`<a href="/login">${content}</a>` })}</p>
${
  asksCode &&
  html`<label for="code">${t("Code")}</label>
<input id="code" name="code" dir="ltr" autocomplete="one-time-code" maxlength="100" required>
`
}`;
}

function donePage(translator: Translator, email: string): Html {
  const { t } = translator;
  const title = t("Your address is changed");
  return framePage({ translator, title }, [
    html`<h1>${title}</h1>
<p class="lead">${t("From now on, sign in as {email}.", { email })}</p>
<p><a href="/">${t("Go on")}</a></p>`,
  ]);
}

const closedPage =
  (translator: Translator) =>
  (message: string, { forNow }: { forNow: boolean }): Html => {
    const { t } = translator;
    return framePage({ translator, title: t("New address") }, [
      html`<h1>${forNow ? t("Please wait a while") : t("This link does not work")}</h1>
<p class="lead">${message}</p>
<p>${t('The address can be changed in the settings, under "Account".')}</p>`,
    ]);
  };
