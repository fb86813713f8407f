// Changes who sees a channel, who reads it, and who may do what there: its privacy and its permission settings.

import { groupFor } from "@/foundation/groups/access.ts";
import { groupWithGrant, presentGroup } from "@/foundation/permissions/access.ts";
import { changeGrant } from "@/foundation/permissions/actions.ts";
import {
  type GrantName,
  type GroupSettingUpdate,
  type GroupSettingValue,
  grants,
} from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  checkMayGive,
  checkMayMake,
  checkMayOpen,
  checkPrivacy,
  type Privacy,
  readingGroups,
} from "@/places/channels/access.ts";
import { recordChannelChange } from "@/places/channels/actions.ts";
import { presentChannel } from "@/places/channels/present.ts";
import { mentionOf } from "@/places/channels/queries.ts";
import type { ChannelPatch, ChannelRow } from "@/places/channels/schema.ts";
import { isDefaultChannel } from "@/places/default-channels/access.ts";
import { withdrawChannel } from "@/places/default-channels/actions.ts";
import type { Translator } from "@/text/language/translator.ts";
import type { Revision } from "./actions-revision.ts";
import * as store from "./store.ts";

type PrivacyPatch = Pick<ChannelPatch, "is_private" | "is_web_public" | "history_public_to_subscribers">;

/** Changes a channel's privacy. Its subscribers stay; a channel that becomes public shares all of its history. */
export function changePrivacy(
  tx: Tx,
  { channel, changes, notices, translator, person }: Revision,
  patch: PrivacyPatch,
): void {
  const before = privacyOfRow(channel);
  const after = applyPatch(before, patch);
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
  recordChannelChange(tx, channel, "privacy_changed", { from: before, to: after });
  const { invite_only: value, history_public_to_subscribers, is_web_public } = after;
  changes.push({ property: "invite_only", value, history_public_to_subscribers, is_web_public });
  const { t } = translator;
  const words = { before: t(wordsOf(before)), after: t(wordsOf(after)) };
  notices.push(t("{person} changed this channel from **{before}** to **{after}**.", { person, ...words }));
}

function privacyOfRow(channel: ChannelRow): Privacy {
  return {
    invite_only: channel.invite_only === 1,
    is_web_public: channel.is_web_public === 1,
    history_public_to_subscribers: channel.history_public_to_subscribers === 1,
  };
}

/** Fills in what the patch leaves out: private channels stop being web-public; channels made public share their history. */
function applyPatch(before: Privacy, patch: PrivacyPatch): Privacy {
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

function wordsOf({ invite_only, is_web_public, history_public_to_subscribers }: Privacy) {
  if (!invite_only) return is_web_public ? "web-public" : "public";
  return history_public_to_subscribers ? "private, shared history" : "private, protected history";
}

type Name = GrantName<"channel">;

type GrantPatch = { [K in Name]?: GroupSettingUpdate | undefined };

const names = Object.keys(grants.channel) as Name[];

/** Applies the permission settings in `patch`. Only a user who may read a private channel can change who else may. */
export function changeGrants(tx: Tx, revision: Revision, patch: GrantPatch): void {
  const { channel, changes } = revision;
  const policy = postPolicyOf(tx, channel);
  for (const name of names) {
    const update = patch[name];
    if (update) changeOne(tx, revision, { name, update });
  }
  const newPolicy = postPolicyOf(tx, channel);
  // Wire: update-stream still emits stream_post_policy, which can_send_message_group replaced.
  if (newPolicy !== policy) changes.push({ property: "stream_post_policy", value: newPolicy });
}

function postPolicyOf(tx: Tx, channel: ChannelRow): number {
  return presentChannel(tx, channel).stream_post_policy;
}

function changeOne(
  tx: Tx,
  { channel, changes, notices, translator, person }: Revision,
  { name, update }: { name: Name; update: GroupSettingUpdate },
): void {
  const from = presentGroup(tx, groupWithGrant(tx, "channel", channel.id, name));
  // Checked before the change, because the change could let the actor read.
  if ((readingGroups as readonly Name[]).includes(name)) checkMayOpen(tx, channel);
  const to = changeGrant(tx, { scope: "channel", ownerId: channel.id, name }, update);
  if (to === null) return;
  checkMayGive(tx, name);

  recordChannelChange(tx, channel, "permission_changed", { name, from, to });
  changes.push({ property: name, value: to });
  if (name !== "can_send_message_group") return;
  const { t } = translator;
  const words = (value: GroupSettingValue) => grantsInWords(tx, translator, value);
  notices.push(
    `${t("{person} changed who may post in this channel.", { person })}\n\n` +
      `* ${t("Before: {who}", { who: words(from) })}\n* ${t("Now: {who}", { who: words(to) })}`,
  );
}

/** A permission setting's users and groups as text: silent mentions, which notify nobody. */
function grantsInWords(tx: Tx, translator: Translator, value: GroupSettingValue): string {
  if (typeof value === "number") return groupWords(tx, translator, value);
  const words = [
    ...value.direct_subgroups.map((id) => groupWords(tx, translator, id)),
    ...value.direct_members.map((id) => mentionOf(tx, id)),
  ];
  if (words.length === 0) return translator.t("nobody");
  return joinWords(translator, words);
}

/** As one text, by halves: there may be thousands, and each step goes through what it joins. */
function joinWords(translator: Translator, words: readonly string[]): string {
  const half = Math.ceil(words.length / 2);
  const [some, more] = [words.slice(0, half), words.slice(half)];
  if (more.length === 0) return some[0] ?? "";
  return translator.t("{some}, {more}", {
    some: joinWords(translator, some),
    more: joinWords(translator, more),
  });
}

function groupWords(tx: Tx, { say }: Translator, id: number): string {
  const { kind, name, description } = groupFor(tx, id);
  return kind === "system"
    ? `**${say({ inEnglish: description, text: description, values: {} })}**`
    : `@_*${name}*`;
}
