// The page behind "Unsubscribe". Opening it changes nothing: mail programs and virus scanners open links by themselves.

import { framePage, pageAnswer, refusalAnswer } from "@/foundation/pages/frame.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { subscriptionOf } from "./access.ts";
import { unsubscribe } from "./actions.ts";
import type { MailKind } from "./schema.ts";

const named: Record<MailKind, string> = {
  messages: "mails about messages that you have missed",
  logins: "mails about new logins to your account",
};

export function showUnsubscribing(ctx: Ctx, token: string): RawAnswer {
  try {
    const found = subscriptionOf(ctx, token);
    if (!found) return fail("MISSING", "This link for unsubscribing does not work. Was it copied in full?");
    const { name } = realmSettings.read(ctx);
    return pageAnswer(
      page(html`<h1>No more mails?</h1>
<p class="lead">${name} will no longer send you ${named[found.kind]}.</p>
<form method="post"><button type="submit" autofocus>Unsubscribe</button></form>`),
    );
  } catch (error) {
    return refusalAnswer(error, inEnglish, refusalPage);
  }
}

export async function carryOutUnsubscribing(ctx: Ctx, token: string): Promise<RawAnswer> {
  try {
    const kind = await unsubscribe(ctx, token);
    const { name } = realmSettings.read(ctx);
    return pageAnswer(
      page(html`<h1>You are unsubscribed</h1>
<p class="lead">${name} no longer sends you ${named[kind]}. Your settings there turn them on again.</p>`),
    );
  } catch (error) {
    return refusalAnswer(error, inEnglish, refusalPage);
  }
}

const refusalPage = (message: string) =>
  page(html`<h1>That did not work</h1>
<p class="lead">${message}</p>`);

const page = (content: Html) => framePage({ translator: inEnglish, title: "Unsubscribe" }, [content]);
