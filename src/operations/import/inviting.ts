// Gives imported people a link to choose a password, by mail or for the administrator to hand over.

import { queueLetter } from "@/foundation/mail/actions.ts";
import { dateInUtc, type MailLetter } from "@/foundation/mail/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { makeLink } from "@/foundation/recovery/actions.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { hasAddress } from "@/operations/import/intake/names.ts";
import { clientsInText } from "@/personal/onboarding/queries.ts";
import {
  type ImportedPerson,
  type ImportReport,
  type ImportSource,
  type Invitations,
  type InvitePlan,
  type OnProgress,
  sourceNames,
} from "./schema.ts";
import * as store from "./store.ts";

export interface Inviting extends InvitePlan {
  source: ImportSource;
  /** The imported accounts are in this range of IDs. */
  firstId: number;
  lastId: number;
}

const portion = 50;

/**
 * Invites all imported people who have no password yet, in batches. The mail and the record that it was queued are one
 * transaction, so nobody is mailed twice. Links are stored as hashes only, so a second run makes new ones.
 */
export const inviteImported = operation(
  allow.system,
  async (
    ctx: Ctx,
    { onProgress, ...inviting }: Inviting & { onProgress: OnProgress },
  ): Promise<Invitations> => {
    const { by, firstId, lastId } = inviting;
    const result = invitationsTo(0, { by });
    let after = firstId - 1;
    for (;;) {
      onProgress("Invitations", after + 1 - firstId, lastId + 1 - firstId);
      const done = await invitePortion(ctx, { ...inviting, after });
      if (done === null) return result;
      after = done.last;
      result.people += done.people;
      result.mailed_before += done.mailedBefore;
      result.without_address += done.withoutAddress;
      result.expires_at = done.expiresAt;
      result.links.push(...done.links);
    }
  },
);

/** How many a dry run would invite; people who have an account here already are not invited. */
export function wouldInvite(
  people: readonly ImportedPerson[],
  { by, matches }: { by: Invitations["by"]; matches: ImportReport["matches"] },
): Invitations {
  const here = new Set(matches.map(({ email }) => email.toLowerCase()));
  const newcomers = people.filter(
    ({ isActive, isBot, email }) => isActive && !isBot && !here.has(email?.toLowerCase() ?? ""),
  );
  const without_address = by === "mail" ? newcomers.filter(({ email }) => email === null).length : 0;
  return invitationsTo(newcomers.length - without_address, { by, without_address });
}

/** The start of a report on invitations. */
export function invitationsTo(
  people: number,
  { by, without_address = 0 }: { by: Invitations["by"]; without_address?: number },
): Invitations {
  return { by, people, mailed_before: 0, without_address, expires_at: null, links: [] };
}

interface Portion {
  last: number;
  people: number;
  mailedBefore: number;
  withoutAddress: number;
  expiresAt: number;
  links: Invitations["links"];
}

/** Invites the next people; returns null after the last. */
const invitePortion = action(
  allow.system,
  (tx, { by, life, source, lastId: last, after }: Inviting & { after: number }): Portion | null => {
    const people = store.listUninvited(tx, { after, last, max: portion });
    const expiresAt = tx.now + life;
    const result: Portion = { last: 0, people: 0, mailedBefore: 0, withoutAddress: 0, expiresAt, links: [] };
    for (const { id, wasMailed } of people) {
      result.last = id;
      const { delivery_email: email, full_name: name } = userFor(tx, id);
      if (by === "mail" && wasMailed) result.mailedBefore++;
      else if (by === "mail" && !hasAddress(email)) result.withoutAddress++;
      else {
        result.people++;
        const url = linkFor(tx, { id, life, mailedTo: by === "mail" ? email : null });
        if (by === "mail") mail(tx, { id, email, name, url, source, expiresAt });
        else {
          recordAccountChange(tx, { id, is_bot: 0 }, "reset_link_made");
          result.links.push({ email, name, url });
        }
      }
    }
    return people.length === 0 ? null : result;
  },
);

/** A link to choose a password; the sign-in page if the organization does not use passwords. */
function linkFor(
  tx: Tx,
  { id: userId, ...link }: { id: number; life: number; mailedTo: string | null },
): string {
  return tx.env.site + (takesPasswords(tx) ? makeLink(tx, { userId, ...link }) : "/login");
}

interface Mailing {
  id: number;
  email: string;
  name: string;
  url: string;
  source: ImportSource;
  expiresAt: number;
}

function mail(tx: Tx, mailing: Mailing): void {
  const { id, email, expiresAt } = mailing;
  const letter = letterFor(tx, mailing);
  queueLetter(tx, {
    letter,
    recipient: email,
    sender_id: id,
    reader_id: id,
    tells_sender: false,
    expires_at: expiresAt,
  });
  recordAccountChange(tx, { id, is_bot: 0 }, store.invitedEvent);
}

function letterFor(tx: Tx, { id, email, name, url, source: key, expiresAt }: Mailing): MailLetter {
  const { name: organization } = realmSettings.read(tx);
  const { site } = tx.env;
  const translator = translatorTo(tx, id);
  const { t } = translator;
  const source = sourceNames[key];
  const moved =
    key === "confab"
      ? t(
          "{organization} has moved from another server to {site}, and your account and messages have moved along.",
          { organization, site },
        )
      : t(
          "{organization} has moved from {source} to {site}, and your account and messages have moved along.",
          { organization, source, site },
        );
  const usesPassword = takesPasswords(tx);
  const how = usesPassword ? t("Choose a password, and you are in.") : t("Sign in, and you are there.");
  const news = t("{first} {second}", { first: moved, second: how });
  const later = t("The link works once, until {date}. After that, ask for a new one at {url}", {
    date: dateInUtc(translator.language, expiresAt),
    url: `${site}/password/reset`,
  });
  return {
    translator,
    subject: t("Your account at {organization}", { organization }),
    heading: t("{organization} has moved here", { organization }),
    blocks: [
      { text: `${t("Hello {name},", { name })}\n\n${news}` },
      { label: usesPassword ? t("Choose a password") : t("Sign in"), url },
      ...(usesPassword ? [{ text: later }] : []),
      {
        facts: [
          [t("Server"), site],
          [t("Sign in as"), email],
        ],
      },
      { text: t("These clients work here:") },
      { lines: clientsInText(translator, { site, email, takesPasswords: usesPassword }) },
    ],
    footer:
      key === "confab"
        ? t("You get this mail once, because you had an account at the other server.")
        : t("You get this mail once, because you had an account at {source}.", { source }),
  };
}
