// The pages for people who were signed in by a provider. They work without scripts.

import { framePage, markUp, pageAnswer, refusalAnswer, type Speaking } from "@/foundation/pages/frame.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { RawAnswer } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import type { Translator } from "@/text/language/translator.ts";
import type { AskedAgain, Completed, ProofRequest } from "./actions.ts";

/** Leads to a provider, or says why not. */
export async function startAnswer({ translator }: Speaking, work: Promise<string>): Promise<RawAnswer> {
  try {
    return leadTo(await work);
  } catch (error) {
    return refusalAnswer(error, translator, refusedPage(translator));
  }
}

/** Answers with the result of a sign-in: leads on, asks for what is missing, or says why it is refused. */
export async function signOnAnswer(
  { translator }: Speaking,
  work: Promise<Completed | AskedAgain>,
): Promise<RawAnswer> {
  try {
    const done = await work;
    if ("location" in done) return leadTo(done.location);
    if ("error" in done)
      return refusalAnswer(done.error, translator, (message) => askingPage(translator, done.asks, message));
    return pageAnswer(askingPage(translator, done.asks));
  } catch (error) {
    return refusalAnswer(error, translator, refusedPage(translator));
  }
}

/** The end of a proof of who uses the browser. */
export function provedAnswer({ translator }: Speaking): RawAnswer {
  const { t } = translator;
  const title = t("It is you");
  const content = html`<h1>${title}</h1>
<p class="lead">${t("Close this window, and go on in the one where you were asked.")}</p>`;
  return pageAnswer(framePage({ translator, title }, [content]));
}

function leadTo(location: string): RawAnswer {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new RawAnswer(null, headers, 302);
}

const backToSignIn = ({ t }: Translator) => html`<a href="/login">${t("Back to signing in")}</a>`;

const refusedPage =
  (translator: Translator) =>
  (message: string, { forNow }: { forNow: boolean }): Html => {
    const { t } = translator;
    return framePage({ translator, title: t("Sign in") }, [
      html`<h1>${forNow ? t("Please wait a while") : t("You are not signed in")}</h1>
<p class="lead">${message}</p>
<p>${backToSignIn(translator)}</p>`,
    ]);
  };

function askingPage(translator: Translator, asked: ProofRequest, message: string | null = null): Html {
  const wrong = message !== null && html`<p class="wrong" role="alert">${message}</p>`;
  return framePage({ translator, title: translator.t("Sign in") }, [
    asked.what === "code" ? codeForm(translator, wrong) : passwordForm(translator, asked, wrong),
  ]);
}

type Wrong = Html | false;

function passwordForm(translator: Translator, { email, label, sendsMail }: ProofRequest, wrong: Wrong): Html {
  const { t, parts } = translator;
  const forgotten = parts("If you do not know it, <link>choose a new one</link>, and sign in again.");
  const link = (content: Html) => html`<a href="/password/reset">${content}</a>`;
  return html`<h1>${t("Is this your account?")}</h1>
<p class="lead">${t(
    "There is an account with the address {email} already, and nobody has proved that the address belongs to it. Enter its password, and from now on {label} signs you in to it.",
    { email, label },
  )}</p>
${wrong}
<form method="post">
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">${t("Password")}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="${limits.password_max_length}" required autofocus>
<button type="submit">${t("Sign in")}</button>
</form>
<p class="hint">${
    sendsMail && html`${markUp(forgotten, { link })} `
  }${t("If the account is not yours, somebody else uses your address: tell an administrator.")}</p>
<p class="hint">${backToSignIn(translator)}</p>`;
}

function codeForm(translator: Translator, wrong: Wrong): Html {
  const { t } = translator;
  return html`<h1>${t("Enter your code")}</h1>
${wrong || html`<p class="lead">${t("Enter the code that your authenticator app shows, or one of your recovery codes.")}</p>`}
<form method="post">
<label for="code">${t("Code")}</label>
<input id="code" name="code" dir="ltr" autocomplete="one-time-code" maxlength="100" required autofocus>
<button type="submit">${t("Sign in")}</button>
</form>
<p class="hint">${backToSignIn(translator)}</p>`;
}
