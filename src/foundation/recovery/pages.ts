// The pages for people who have forgotten their password. They work without scripts.
import { z } from "zod";
import {
  framePage,
  pageAnswer,
  refusalAnswer,
  type Speaking,
  sign,
  speak,
  wantsPage,
} from "@/foundation/pages/frame.ts";
import { pictureFields } from "@/foundation/realm/access.ts";
import { limits, realmSettings } from "@/foundation/realm/schema.ts";
import { easilyGuessed, password as passwordRule } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { check } from "@/kernel/http/wire.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { lookUpReset, requestReset, resetPassword } from "./actions.ts";

function page({ ctx, translator }: Speaking, content: Html): Html {
  const { name: organization } = realmSettings.read(ctx);
  const { icon_url: icon } = pictureFields(ctx, "icon");
  const title = translator.t("New password – {organization}", { organization });
  return framePage({ translator, title, icon }, [sign({ icon }), content]);
}

const wrong = (message: string | null) =>
  html`${message !== null && html`<p class="wrong" role="alert">${message}</p>`}`;

function requestPage(speaking: Speaking, message: string | null = null): Html {
  const { t } = speaking.translator;
  return page(
    speaking,
    html`<h1>${t("Forgot your password?")}</h1>
<p class="lead">${t("Enter the address of your account, and we send you a link to choose a new one.")}</p>
${wrong(message)}
<form method="post">
<label for="email">${t("Email address")}</label>
<input id="email" name="email" type="email" dir="ltr" autocomplete="username" maxlength="254" required autofocus>
<button type="submit">${t("Send the link")}</button>
</form>
<p class="hint"><a href="/login">${t("Back to signing in")}</a></p>`,
  );
}

export function showRequest(ctx: Ctx, request: RequestFacts): RawAnswer {
  return pageAnswer(requestPage(speak(ctx, request)));
}

/** The answer is the same whether or not the account exists. */
export async function answerRequest(
  ctx: Ctx,
  email: string,
  request: RequestFacts,
): Promise<RawAnswer | undefined> {
  const ask = () => requestReset(ctx, { email, request });
  if (!wantsPage(request)) {
    await ask();
    return;
  }
  const speaking = speak(ctx, request);
  const { t } = speaking.translator;
  try {
    await ask();
    return pageAnswer(
      page(
        speaking,
        html`<h1>${t("Look into your mail")}</h1>
<p class="lead">${t("If {email} belongs to an account here, a mail with a link is on its way. The link works once, within an hour.", { email })}</p>
<p class="hint">${t("Nothing there? Look into the spam folder, or ask an administrator for a link.")}</p>`,
      ),
    );
  } catch (error) {
    return refusalAnswer(error, speaking.translator, (message) => requestPage(speaking, message));
  }
}

function resetPage(speaking: Speaking, email: string, message: string | null = null): Html {
  const { password_min_length: min, password_max_length: max } = limits;
  const { t } = speaking.translator;
  return page(
    speaking,
    html`<h1>${t("Choose a new password")}</h1>
<p class="lead">${t("For the account {email}. All browsers and apps that are signed in to it are signed out.", { email })}</p>
${wrong(message)}
<form method="post">
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">${t("New password")}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" required autofocus aria-describedby="password-hint">
<p class="hint" id="password-hint">${t("At least {min, number} characters. A few unrelated words are easy to remember and hard to guess.", { min })}</p>
<button type="submit">${t("Save")}</button>
</form>`,
  );
}

export async function showReset(ctx: Ctx, key: string, request: RequestFacts): Promise<RawAnswer | object> {
  const look = () => lookUpReset(ctx, { key, request });
  if (!wantsPage(request)) return { email: await look() };
  const speaking = speak(ctx, request);
  try {
    return pageAnswer(resetPage(speaking, await look()));
  } catch (error) {
    return refusalAnswer(error, speaking.translator, renderClosed(speaking));
  }
}

export async function answerReset(
  ctx: Ctx,
  { key, password = "" }: { key: string; password?: string },
  request: RequestFacts,
): Promise<RawAnswer | undefined> {
  const reset = async () => {
    const checked = check(z.object({ password: passwordRule }), { password });
    await resetPassword(ctx, { key, request, ...checked });
  };
  if (!wantsPage(request)) {
    await reset();
    return;
  }
  const speaking = speak(ctx, request);
  const { t } = speaking.translator;
  try {
    await reset();
  } catch (error) {
    return correctable(speaking, { key, request, error });
  }
  return pageAnswer(
    page(
      speaking,
      html`<h1>${t("Your password is changed")}</h1>
<p class="lead">${t("You can sign in with it now.")}</p>
<p><a href="/login">${t("Sign in")}</a></p>`,
    ),
  );
}

/** Shows the form again if the password was refused, otherwise that the link does not work. */
async function correctable(
  speaking: Speaking,
  { key, request, error }: { key: string; request: RequestFacts; error: unknown },
): Promise<RawAnswer> {
  const { ctx, translator } = speaking;
  const isOfPassword = error instanceof AppError && error.status === 400;
  if (!isOfPassword && !(error instanceof AppError && error.message === easilyGuessed)) {
    return refusalAnswer(error, translator, renderClosed(speaking));
  }
  try {
    const email = await lookUpReset(ctx, { key, request });
    return refusalAnswer(error, translator, (message) => resetPage(speaking, email, message));
  } catch (over) {
    return refusalAnswer(over, translator, renderClosed(speaking));
  }
}

const renderClosed =
  ({ translator }: Speaking) =>
  (message: string, { forNow }: { forNow: boolean }): Html => {
    const { t } = translator;
    return framePage({ translator, title: t("New password") }, [
      html`<h1>${forNow ? t("Please wait a while") : t("This link does not work")}</h1>
<p class="lead">${message}</p>
<p><a href="/password/reset">${t("Ask for a new link")}</a></p>`,
    ]);
  };
