import { isLoopback } from "@/text/links/schema.ts";
import type { Api } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { copyWithNotice } from "../../ui/content/behaviours.ts";

interface InvitationTerms {
  invite_as: number;
  /** Null if it can be used for ever. */
  invite_expires_in_minutes: number | null;
}

export const member = 400;
export const week = 10_080;

/** What an invitation says beyond its terms. */
export const fixedTerms = { include_realm_default_subscriptions: true, stream_ids: [] };

/** Makes a link that anyone may join by, and copies it. */
export async function makeLink(api: Api, terms: InvitationTerms): Promise<void> {
  const params = { ...terms, ...fixedTerms };
  const { invite_link } = await api.post<{ invite_link: string }>("/invites/multiuse", params);
  const notice = isLoopback(invite_link)
    ? t(
        "The link is made and copied. It only works on this machine: to invite others, open Confab at the address that they use.",
      )
    : t("The link is made and copied.");
  await copyWithNotice(invite_link, notice);
}
