// The pages for people who have forgotten their password. They work without scripts.
import { z } from "zod";
import { framePage, pageAnswer, refusalAnswer, sign, wantsPage } from "@/foundation/pages/frame.ts";
import { pictureFields } from "@/foundation/realm/access.ts";
import { limits, realmSettings } from "@/foundation/realm/schema.ts";
import { easilyGuessed, password as passwordRule } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { check } from "@/kernel/http/wire.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { lookUpReset, requestReset, resetPassword } from "./actions.ts";

function page(ctx: Ctx, content: Html): Html {
  const { name: organization } = realmSettings.read(ctx);
  const { icon_url: icon } = pictureFields(ctx, "icon");
  return framePage({ title: `New password – ${organization}`, icon }, [sign({ icon }), content]);
}

const wrong = (message: string | null) =>
  html`${message !== null && html`<p class="wrong" role="alert">${message}</p>`}`;

function requestPage(ctx: Ctx, message: string | null = null): Html {
  return page(
    ctx,
    html`<h1>Forgot your password?</h1>
<p class="lead">Enter the address of your account, and we send you a link to choose a new one.</p>
${wrong(message)}
<form method="post">
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required autofocus>
<button type="submit">Send the link</button>
</form>
<p class="hint"><a href="/login">Back to signing in</a></p>`,
  );
}

export function showRequest(ctx: Ctx): RawAnswer {
  return pageAnswer(requestPage(ctx));
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
  try {
    await ask();
    return pageAnswer(
      page(
        ctx,
        html`<h1>Look into your mail</h1>
<p class="lead">If ${email} belongs to an account here, a mail with a link is on its way. The link works once, within an hour.</p>
<p class="hint">Nothing there? Look into the spam folder, or ask an administrator for a link.</p>`,
      ),
    );
  } catch (error) {
    return refusalAnswer(error, (message) => requestPage(ctx, message));
  }
}

function resetPage(ctx: Ctx, email: string, message: string | null = null): Html {
  const { password_min_length: min, password_max_length: max } = limits;
  return page(
    ctx,
    html`<h1>Choose a new password</h1>
<p class="lead">For the account ${email}. All browsers and apps that are signed in to it are signed out.</p>
${wrong(message)}
<form method="post">
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" required autofocus aria-describedby="password-hint">
<p class="hint" id="password-hint">At least ${min} characters. A few unrelated words are easy to remember and hard to guess.</p>
<button type="submit">Save</button>
</form>`,
  );
}

export async function showReset(ctx: Ctx, key: string, request: RequestFacts): Promise<RawAnswer | object> {
  const look = () => lookUpReset(ctx, { key, request });
  if (!wantsPage(request)) return { email: await look() };
  try {
    return pageAnswer(resetPage(ctx, await look()));
  } catch (error) {
    return refusalAnswer(error, renderClosed);
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
  try {
    await reset();
  } catch (error) {
    return correctable(ctx, { key, request, error });
  }
  return pageAnswer(
    page(
      ctx,
      html`<h1>Your password is changed</h1>
<p class="lead">You can sign in with it now.</p>
<p><a href="/login">Sign in</a></p>`,
    ),
  );
}

/** Shows the form again if the password was refused, otherwise that the link does not work. */
async function correctable(
  ctx: Ctx,
  { key, request, error }: { key: string; request: RequestFacts; error: unknown },
): Promise<RawAnswer> {
  const isOfPassword = error instanceof AppError && error.status === 400;
  if (!isOfPassword && !(error instanceof AppError && error.message === easilyGuessed)) {
    return refusalAnswer(error, renderClosed);
  }
  try {
    const email = await lookUpReset(ctx, { key, request });
    return refusalAnswer(error, (message) => resetPage(ctx, email, message));
  } catch (over) {
    return refusalAnswer(over, renderClosed);
  }
}

function renderClosed(message: string, { forNow }: { forNow: boolean }): Html {
  return framePage({ title: "New password" }, [
    html`<h1>${forNow ? "Please wait a while" : "This link does not work"}</h1>
<p class="lead">${message}</p>
<p><a href="/password/reset">Ask for a new link</a></p>`,
  ]);
}
