// The page of a link that signs somebody in. Opening it does not use the link, because programs open links for previews.

import { framePage, pageAnswer, refusalAnswer, wantsPage } from "@/foundation/pages/frame.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { type SetUp, twoStepErrors } from "@/foundation/two-step/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { type AppError, isError } from "@/kernel/lib/errors.ts";
import { followLink, tryLink } from "./actions-links.ts";

export async function showLink(ctx: Ctx, key: string, request: RequestFacts): Promise<RawAnswer | object> {
  if (!wantsPage(request)) return tryLink(ctx, { key, request }).then(({ full_name }) => ({ full_name }));
  try {
    return pageAnswer(linkPage((await tryLink(ctx, { key, request })).full_name));
  } catch (error) {
    return refusalAnswer(error, renderClosed);
  }
}

/** Signs the browser in and redirects it to the client; asks for a code first, if the person uses two-step sign-in. */
export async function enterByLink(
  ctx: Ctx,
  following: Parameters<typeof followLink>[1],
): Promise<RawAnswer | object> {
  if (!wantsPage(following.request)) return followLink(ctx, following);
  try {
    const { recovery_codes } = await followLink(ctx, following);
    if (recovery_codes) return pageAnswer(recoveryPage(recovery_codes));
  } catch (error) {
    return refusalAnswer(
      error,
      (message, traits) => stepPage(error, message) ?? renderClosed(message, traits),
    );
  }
  return new RawAnswer(null, { location: "/", "cache-control": "no-store" }, 303);
}

/** The form for what is missing, if that is a code. */
function stepPage(error: unknown, message: string): Html | null {
  if (isError(error, twoStepErrors.TWO_STEP_SETUP_REQUIRED)) return setUpPage(error, message);
  const isWrong = isError(error, authErrors.WRONG_CODE);
  if (!isWrong && !isError(error, twoStepErrors.TWO_STEP_REQUIRED)) return null;
  return framePage({ title: "Sign in" }, [
    html`<h1>Enter your code</h1>
${isWrong ? html`<p class="wrong" role="alert">${message}</p>` : html`<p class="lead">${message}</p>`}
${codeForm}`,
  ]);
}

const codeForm = html`<form method="post">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" maxlength="100" required autofocus>
<button type="submit">Sign in</button>
</form>`;

function setUpPage({ data }: AppError, message: string): Html {
  const { secret, uri, qr } = data as Partial<SetUp>;
  return framePage({ title: "Set up two-step sign-in" }, [
    html`<h1>Set up two-step sign-in</h1>
<p class="lead">${message}</p>
<p><img class="qr" src="${qr ?? ""}" alt="QR code for your authenticator app" width="196" height="196"></p>
<p>Scan it with your app, or type this key: <code class="key">${secret ?? ""}</code></p>
<p class="hint"><a href="${uri ?? ""}">Open the app on this device</a></p>
${codeForm}`,
  ]);
}

function recoveryPage(codes: readonly string[]): Html {
  return framePage({ title: "Your recovery codes" }, [
    html`<h1>Keep your recovery codes</h1>
<p class="lead">Each signs you in once if you lose your app. They are not shown again.</p>
<pre>${codes.join("\n")}</pre>
<p><a href="/">I have kept them: open the chat</a></p>`,
  ]);
}

function linkPage(name: string): Html {
  return framePage({ title: "Sign in" }, [
    html`<h1>Sign in as ${name}</h1>
<p class="lead">This link works once. You stay signed in in this browser until you sign out.</p>
<form method="post">
<button type="submit" autofocus>Sign in</button>
</form>`,
  ]);
}

function renderClosed(message: string, { forNow }: { forNow: boolean }): Html {
  return framePage({ title: "Sign in" }, [
    html`<h1>${forNow ? "Please wait a while" : "You cannot sign in with this link"}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>Whoever gave it to you can make a new one. With a password you can <a href="/login">sign in here</a>.</p>`}`,
  ]);
}
