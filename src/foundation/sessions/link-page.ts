// The page of a link that signs somebody in. Opening it does not use the link, because programs open links for previews.

import {
  framePage,
  leadTo,
  markUp,
  pageAnswer,
  refusalAnswer,
  speak,
  wantsPage,
} from "@/foundation/pages/frame.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { type SetUp, twoStepErrors } from "@/foundation/two-step/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { type AppError, isError } from "@/kernel/lib/errors.ts";
import type { Translator } from "@/text/language/translator.ts";
import { awaitsFirstVisit } from "./access.ts";
import { followLink, tryLink } from "./actions-links.ts";

export async function showLink(ctx: Ctx, key: string, request: RequestFacts): Promise<RawAnswer | object> {
  if (!wantsPage(request)) return tryLink(ctx, { key, request }).then(({ full_name }) => ({ full_name }));
  const { translator } = speak(ctx, request);
  try {
    const person = await tryLink(ctx, { key, request });
    if (awaitsFirstVisit(ctx, person)) return leadTo(`/first-visit/${key}`);
    return pageAnswer(linkPage(translator, person.full_name));
  } catch (error) {
    return refusalAnswer(error, translator, closedPage(translator));
  }
}

/** Signs the browser in and redirects it to the client; asks for a code first, if the person uses two-step sign-in. */
export async function enterByLink(
  ctx: Ctx,
  following: Parameters<typeof followLink>[1],
): Promise<RawAnswer | object> {
  if (!wantsPage(following.request)) return followLink(ctx, following);
  const { translator } = speak(ctx, following.request);
  try {
    const { recovery_codes } = await followLink(ctx, following);
    if (recovery_codes) return pageAnswer(recoveryPage(translator, recovery_codes));
  } catch (error) {
    const render = closedPage(translator);
    return refusalAnswer(
      error,
      translator,
      (message, traits) => stepPage(translator, error, message) ?? render(message, traits),
    );
  }
  return leadTo("/");
}

/** The form for what is missing, if that is a code. */
function stepPage(translator: Translator, error: unknown, message: string): Html | null {
  const { t } = translator;
  if (isError(error, twoStepErrors.TWO_STEP_SETUP_REQUIRED)) return setUpPage(translator, error, message);
  const isWrong = isError(error, authErrors.WRONG_CODE);
  if (!isWrong && !isError(error, twoStepErrors.TWO_STEP_REQUIRED)) return null;
  return framePage({ translator, title: t("Sign in") }, [
    html`<h1>${t("Enter your code")}</h1>
${isWrong ? html`<p class="wrong" role="alert">${message}</p>` : html`<p class="lead">${message}</p>`}
${codeForm(translator)}`,
  ]);
}

const codeForm = ({ t }: Translator) => html`<form method="post">
<label for="code">${t("Code")}</label>
<input id="code" name="code" dir="ltr" autocomplete="one-time-code" maxlength="100" required autofocus>
<button type="submit">${t("Sign in")}</button>
</form>`;

function setUpPage(translator: Translator, { data }: AppError, message: string): Html {
  const { secret, uri, qr } = data as Partial<SetUp>;
  const { t, parts } = translator;
  const key = html`<code class="key" dir="ltr">${secret ?? ""}</code>`;
  return framePage({ translator, title: t("Set up two-step sign-in") }, [
    html`<h1>${t("Set up two-step sign-in")}</h1>
<p class="lead">${message}</p>
<p><img class="qr" src="${qr ?? ""}" alt="${t("QR code for your authenticator app")}" width="196" height="196"></p>
<p>${markUp(parts("Scan it with your app, or type this key: <key></key>"), { key: () => key })}</p>
<p class="hint"><a href="${uri ?? ""}">${t("Open the app on this device")}</a></p>
${codeForm(translator)}`,
  ]);
}

function recoveryPage(translator: Translator, codes: readonly string[]): Html {
  const { t } = translator;
  return framePage({ translator, title: t("Your recovery codes") }, [
    html`<h1>${t("Keep your recovery codes")}</h1>
<p class="lead">${t("Each signs you in once if you lose your app. They are not shown again.")}</p>
<pre dir="ltr">${codes.join("\n")}</pre>
<p><a href="/">${t("I have kept them: open the chat")}</a></p>`,
  ]);
}

function linkPage(translator: Translator, name: string): Html {
  const { t } = translator;
  return framePage({ translator, title: t("Sign in") }, [
    html`<h1>${t("Sign in as {name}", { name })}</h1>
<p class="lead">${t("This link works once. You stay signed in in this browser until you sign out.")}</p>
<form method="post">
<button type="submit" autofocus>${t("Sign in")}</button>
</form>`,
  ]);
}

/** Says why a link for signing in does not work. */
export function closedPage(translator: Translator) {
  const { t, parts } = translator;
  const advice = parts(
    "Ask the person who gave it to you for a new one. With a password you can <link>sign in here</link>.",
  );
  const link = (content: Html) => html`<a href="/login">${content}</a>`;
  return (message: string, { forNow }: { forNow: boolean }): Html =>
    framePage({ translator, title: t("Sign in") }, [
      html`<h1>${forNow ? t("Please wait a while") : t("You cannot sign in with this link")}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>${markUp(advice, { link })}</p>`}`,
    ]);
}
