import { speak } from "@/foundation/pages/frame.ts";
import { allow, isOpenToPublic } from "@/foundation/permissions/access.ts";
import { isRealmOpen, listProviders, pictureFields, takesPasswords } from "@/foundation/realm/access.ts";
import { realmSettings, versionFields } from "@/foundation/realm/schema.ts";
import { findSession } from "@/foundation/sessions/access.ts";
import { otherNodes } from "@/foundation/sessions/host.ts";
import { stateOfBrowser } from "@/foundation/sessions/queries.ts";
import { languageOf } from "@/foundation/user-settings/access.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { translatorFor } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import type { Boot } from "./schema.ts";

/** What the page contains for the client; nothing in it is secret. */
export const bootOf = query(
  allow.anyone,
  (ctx, { request, emojiData }: { request: RequestFacts; emojiData: string }): Boot => ({
    ...stateOfBrowser(ctx, request),
    open_to_visitors: isRealmOpen(ctx) && isOpenToPublic(ctx),
    realm_name: realmSettings.read(ctx).name,
    realm_icon: pictureFields(ctx, "icon").icon_url,
    emoji_data: emojiData,
    version: versionFields.service_version,
    other_nodes: otherNodes(ctx, request),
    takes_passwords: takesPasswords(ctx),
    providers: listProviders(ctx),
    sample_people: ctx.env.isDevelopment ? samplePeople(ctx) : null,
  }),
);

/** Speaks the language of the person; if nobody is signed in, that of the browser. */
export const translatorOfPage = query(allow.anyone, (ctx, request: RequestFacts): Translator => {
  const session = findSession(ctx, request);
  const own = session && languageOf(ctx, session.user_id);
  return own ? translatorFor(own) : speak(ctx, request).translator;
});

function samplePeople(reads: Reads): NonNullable<Boot["sample_people"]> {
  return activePeople(reads)
    .slice(0, 20)
    .map(({ delivery_email, full_name }) => ({ email: delivery_email, full_name }));
}
