// Who sees a channel and how much of its history: public, private, web-public.

import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { isDefaultChannel } from "@/places/default-channels/access.ts";
import { withdrawChannel } from "@/places/default-channels/tx.ts";
import type { ChannelRow } from "./rows.ts";
import { checkMayMake, checkMayOpen, checkPrivacy, type Privacy } from "./rules.ts";
import type { ChannelPatch } from "./schema.ts";
import * as store from "./store.ts";
import { actorMention } from "./tx-notices.ts";
import { type Revision, recordChange } from "./tx-revision.ts";

type PrivacyPatch = Pick<ChannelPatch, "is_private" | "is_web_public" | "history_public_to_subscribers">;

/** Changes a channel's privacy. Its subscribers stay; a channel that becomes public shares all of its history. */
export function changePrivacy(tx: Tx, { channel, changes, notices }: Revision, patch: PrivacyPatch): void {
  const before = privacyOf(channel);
  const after = revised(before, patch);
  checkPrivacy(after);
  if (isSame(before, after)) return;
  checkMayOpen(tx, channel);
  if (becomesAnotherKind(before, after)) checkMayMake(tx, after);
  if (after.invite_only && isDefaultChannel(tx, channel.id)) {
    fail("BAD_REQUEST", "A default channel cannot be private.");
  }
  if (!after.invite_only) checkTakesNoReports(tx, channel);

  store.setPrivacy(tx, channel.id, after);
  if (after.invite_only) withdrawChannel(tx, channel.id);
  recordChange(tx, channel, "privacy_changed", { from: before, to: after });
  const { invite_only: value, history_public_to_subscribers, is_web_public } = after;
  changes.push({ property: "invite_only", value, history_public_to_subscribers, is_web_public });
  notices.push(
    `${actorMention(tx)} changed this channel from **${wordsOf(before)}** to **${wordsOf(after)}**.`,
  );
}

function privacyOf(channel: ChannelRow): Privacy {
  return {
    invite_only: channel.invite_only === 1,
    is_web_public: channel.is_web_public === 1,
    history_public_to_subscribers: channel.history_public_to_subscribers === 1,
  };
}

/** Fills in what the patch leaves out: private channels stop being web-public; channels made public share their history. */
function revised(before: Privacy, patch: PrivacyPatch): Privacy {
  const is_web_public = patch.is_web_public ?? (before.is_web_public && !patch.is_private);
  const invite_only = patch.is_private ?? (before.invite_only && !is_web_public);
  const history_public_to_subscribers =
    patch.history_public_to_subscribers ?? (before.history_public_to_subscribers || !invite_only);
  return { invite_only, is_web_public, history_public_to_subscribers };
}

function isSame(one: Privacy, other: Privacy): boolean {
  return (Object.keys(one) as (keyof Privacy)[]).every((name) => one[name] === other[name]);
}

function becomesAnotherKind(before: Privacy, after: Privacy): boolean {
  return before.invite_only !== after.invite_only || (after.is_web_public && !before.is_web_public);
}

/** Refuses the channel for moderation requests: reports quote private messages, so it must stay private. */
function checkTakesNoReports(tx: Tx, { id }: ChannelRow): void {
  if (realmSettings.read(tx).moderation_request_channel_id !== id) return;
  fail("BAD_REQUEST", "The channel for moderation requests must be private.");
}

function wordsOf({ invite_only, is_web_public, history_public_to_subscribers }: Privacy): string {
  if (!invite_only) return is_web_public ? "web-public" : "public";
  return `private, ${history_public_to_subscribers ? "shared" : "protected"} history`;
}
