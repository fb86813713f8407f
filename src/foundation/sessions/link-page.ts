// The page of a link that signs somebody in. Looking at it uses nothing up: programs that preview links do, too.
import { framed, pageAnswer, refusalAnswer, wantsPage } from "@/foundation/pages/present.ts";
import type { Ctx } from "@/kernel/context.ts";
import { RawAnswer, type RequestFacts } from "@/kernel/endpoint.ts";
import { type Html, html } from "@/kernel/html.ts";
import { followLink, tryLink } from "./actions-links.ts";

export async function showLink(ctx: Ctx, key: string, request: RequestFacts): Promise<RawAnswer | object> {
  if (!wantsPage(request)) return tryLink(ctx, { key, request }).then(({ full_name }) => ({ full_name }));
  try {
    return pageAnswer(linkPage((await tryLink(ctx, { key, request })).full_name));
  } catch (error) {
    return refusalAnswer(error, closedPage);
  }
}

/** Signs the browser in, and leads it to the client. */
export async function enterByLink(ctx: Ctx, key: string, request: RequestFacts): Promise<RawAnswer | object> {
  if (!wantsPage(request)) return followLink(ctx, { key, request });
  try {
    await followLink(ctx, { key, request });
  } catch (error) {
    return refusalAnswer(error, closedPage);
  }
  return new RawAnswer(null, { location: "/", "cache-control": "no-store" }, 303);
}

function linkPage(name: string): Html {
  return framed({ title: "Sign in" }, [
    html`<h1>Sign in as ${name}</h1>
<p class="lead">This link works once. You stay signed in in this browser until you sign out.</p>
<form method="post">
<button type="submit" autofocus>Sign in</button>
</form>`,
  ]);
}

function closedPage(message: string, { forNow }: { forNow: boolean }): Html {
  return framed({ title: "Sign in" }, [
    html`<h1>${forNow ? "Please wait a while" : "You cannot sign in with this link"}</h1>
<p class="lead">${message}</p>
${!forNow && html`<p>Whoever gave it to you can make a new one. With a password you can <a href="/login">sign in here</a>.</p>`}`,
  ]);
}
