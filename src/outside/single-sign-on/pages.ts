// The pages for people who were signed in by a provider. They work without scripts.

import { framePage, pageAnswer, refusalAnswer } from "@/foundation/pages/frame.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { RawAnswer } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { inEnglish } from "@/text/language/tables.ts";
import type { AskedAgain, Completed, ProofRequest } from "./actions.ts";

/** Answers with the result of a sign-in: leads on, asks for what is missing, or says why it is refused. */
export async function signOnAnswer(work: Promise<Completed | AskedAgain>): Promise<RawAnswer> {
  try {
    const done = await work;
    if ("location" in done) return leadTo(done.location);
    if ("error" in done)
      return refusalAnswer(done.error, inEnglish, (message) => askingPage(done.asks, message));
    return pageAnswer(askingPage(done.asks));
  } catch (error) {
    return refusalAnswer(error, inEnglish, renderRefusedPage);
  }
}

export function leadTo(location: string): RawAnswer {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return new RawAnswer(null, headers, 302);
}

export function renderRefusedPage(message: string, { forNow }: { forNow: boolean }): Html {
  return framePage({ translator: inEnglish, title: "Sign in" }, [
    html`<h1>${forNow ? "Please wait a while" : "You are not signed in"}</h1>
<p class="lead">${message}</p>
<p><a href="/login">Back to signing in</a></p>`,
  ]);
}

function askingPage(asked: ProofRequest, message: string | null = null): Html {
  const wrong = message !== null && html`<p class="wrong" role="alert">${message}</p>`;
  return framePage({ translator: inEnglish, title: "Sign in" }, [
    asked.what === "code" ? codeForm(wrong) : passwordForm(asked, wrong),
  ]);
}

type Wrong = Html | false;

function passwordForm({ email, label, sendsMail }: ProofRequest, wrong: Wrong): Html {
  return html`<h1>Is this your account?</h1>
<p class="lead">There is an account with the address ${email} already, and nobody has proved that the address belongs to it. Enter its password, and from now on ${label} signs you in to it.</p>
${wrong}
<form method="post">
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="${limits.password_max_length}" required autofocus>
<button type="submit">Sign in</button>
</form>
<p class="hint">${
    sendsMail &&
    html`If you do not know it, <a href="/password/reset">choose a new one</a>, and sign in again. `
  }If the account is not yours, somebody else uses your address: tell an administrator.</p>
<p class="hint"><a href="/login">Back to signing in</a></p>`;
}

function codeForm(wrong: Wrong): Html {
  return html`<h1>Enter your code</h1>
${wrong || html`<p class="lead">Enter the code that your authenticator app shows, or one of your recovery codes.</p>`}
<form method="post">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="100" required autofocus>
<button type="submit">Sign in</button>
</form>
<p class="hint"><a href="/login">Back to signing in</a></p>`;
}
