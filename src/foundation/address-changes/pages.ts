// The page of a link that confirms a new address. Opening it changes nothing, because programs open links for previews.

import { framePage, pageAnswer, refusalAnswer, wantsPage } from "@/foundation/pages/frame.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { twoStepErrors } from "@/foundation/two-step/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { isError } from "@/kernel/lib/errors.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { followChange, lookUpChange } from "./actions.ts";
import type { WaitingLink } from "./schema.ts";

export async function showChange(
  ctx: Ctx,
  key: string,
  request: RequestFacts,
): Promise<RawAnswer | WaitingLink> {
  if (!wantsPage(request)) return lookUpChange(ctx, { key, request });
  try {
    return pageAnswer(confirmPage(await lookUpChange(ctx, { key, request }), {}));
  } catch (error) {
    return refusalAnswer(error, inEnglish, renderClosed);
  }
}

export async function answerChange(
  ctx: Ctx,
  following: Parameters<typeof followChange>[1],
): Promise<RawAnswer | { email: string }> {
  if (!wantsPage(following.request)) return { email: await followChange(ctx, following) };
  try {
    return pageAnswer(renderDone(await followChange(ctx, following)));
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
  if (isError(error, "MISSING")) return refusalAnswer(error, inEnglish, renderClosed);
  const asksCode = isError(error, twoStepErrors.TWO_STEP_REQUIRED) || isError(error, authErrors.WRONG_CODE);
  try {
    const link = await lookUpChange(ctx, { key, request });
    return refusalAnswer(error, inEnglish, (wrong) => confirmPage(link, { wrong, asksCode }));
  } catch (over) {
    return refusalAnswer(over, inEnglish, renderClosed);
  }
}

function confirmPage(
  { full_name, email, new_email, needs_password }: WaitingLink,
  { wrong, asksCode = false }: { wrong?: string; asksCode?: boolean },
): Html {
  return framePage({ translator: inEnglish, title: "Confirm your new address" }, [
    html`<h1>Confirm your new address</h1>
<p class="lead">The account of ${full_name}, ${email}, gets the address ${new_email}. Confirm it only if this is your account.</p>
${wrong !== undefined && html`<p class="wrong" role="alert">${wrong}</p>`}
<form method="post">
${needs_password && passwordFields(email, asksCode)}<button type="submit">Confirm</button>
</form>`,
  ]);
}

function passwordFields(email: string, asksCode: boolean): Html {
  return html`<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="${limits.password_max_length}" required autofocus aria-describedby="password-hint">
<p class="hint" id="password-hint">A program asked for this change, so the password is needed too. Or <a href="/login">sign in</a>, and open the link again.</p>
${
  asksCode &&
  html`<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="100" required>
`
}`;
}

function renderDone(email: string): Html {
  return framePage({ translator: inEnglish, title: "Your address is changed" }, [
    html`<h1>Your address is changed</h1>
<p class="lead">From now on, sign in as ${email}.</p>
<p><a href="/">Go on</a></p>`,
  ]);
}

function renderClosed(message: string, { forNow }: { forNow: boolean }): Html {
  return framePage({ translator: inEnglish, title: "New address" }, [
    html`<h1>${forNow ? "Please wait a while" : "This link does not work"}</h1>
<p class="lead">${message}</p>
<p>The address can be changed in the settings, under "Account".</p>`,
  ]);
}
