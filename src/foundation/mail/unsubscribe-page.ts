// The page behind "Unsubscribe". Opening it changes nothing: mail programs and virus scanners open links by themselves.

import { framePage, pageAnswer, refusalAnswer, speak } from "@/foundation/pages/frame.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { RawAnswer, RequestFacts } from "@/kernel/http/endpoint.ts";
import { type Html, html } from "@/kernel/http/html.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Translator } from "@/text/language/translator.ts";
import { subscriptionOf } from "./access.ts";
import { unsubscribe } from "./actions.ts";
import { brokenLink, type MailKind } from "./schema.ts";

const asking = {
  messages: "{organization} will no longer send you mails about messages that you have missed.",
  logins: "{organization} will no longer send you mails about new logins to your account.",
} as const satisfies Record<MailKind, string>;

const done = {
  messages:
    "{organization} no longer sends you mails about messages that you have missed. Your settings there turn them on again.",
  logins:
    "{organization} no longer sends you mails about new logins to your account. Your settings there turn them on again.",
} as const satisfies Record<MailKind, string>;

interface Unsubscribing {
  token: string;
  request: RequestFacts;
}

export function showUnsubscribing(ctx: Ctx, { token, request }: Unsubscribing): RawAnswer {
  const { translator } = speak(ctx, request);
  const { t } = translator;
  try {
    const found = subscriptionOf(ctx, token);
    if (!found) return fail("MISSING", brokenLink);
    const { name: organization } = realmSettings.read(ctx);
    return pageAnswer(
      page(
        translator,
        html`<h1>${t("No more mails?")}</h1>
<p class="lead">${t(asking[found.kind], { organization })}</p>
<form method="post"><button type="submit" autofocus>${t("Unsubscribe")}</button></form>`,
      ),
    );
  } catch (error) {
    return refusalAnswer(error, translator, refusalPage(translator));
  }
}

export async function carryOutUnsubscribing(ctx: Ctx, { token, request }: Unsubscribing): Promise<RawAnswer> {
  const { translator } = speak(ctx, request);
  const { t } = translator;
  try {
    const kind = await unsubscribe(ctx, token);
    const { name: organization } = realmSettings.read(ctx);
    return pageAnswer(
      page(
        translator,
        html`<h1>${t("You are unsubscribed")}</h1>
<p class="lead">${t(done[kind], { organization })}</p>`,
      ),
    );
  } catch (error) {
    return refusalAnswer(error, translator, refusalPage(translator));
  }
}

const refusalPage = (translator: Translator) => (message: string) =>
  page(
    translator,
    html`<h1>${translator.t("That did not work")}</h1>
<p class="lead">${message}</p>`,
  );

function page(translator: Translator, content: Html): Html {
  return framePage({ translator, title: translator.t("Unsubscribe") }, [content]);
}
