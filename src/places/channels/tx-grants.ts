// Changes the permission settings of a channel.

import { groupFor } from "@/foundation/groups/access.ts";
import { grantedGroup, presentGroup } from "@/foundation/permissions/access.ts";
import {
  type GrantName,
  type GroupSettingUpdate,
  type GroupSettingValue,
  grants,
} from "@/foundation/permissions/schema.ts";
import { changeGrant } from "@/foundation/permissions/tx-grants.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { readingGroups } from "./access.ts";
import { presentChannel } from "./present.ts";
import type { ChannelRow } from "./rows.ts";
import { checkMayGive, checkMayOpen } from "./rules.ts";
import { actorMention, mentionOf } from "./tx-notices.ts";
import { type Revision, recordChange } from "./tx-revision.ts";

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
  { channel, changes, notices }: Revision,
  { name, update }: { name: Name; update: GroupSettingUpdate },
): void {
  const from = presentGroup(tx, grantedGroup(tx, "channel", channel.id, name));
  // Checked before the change, because the change could let the actor read.
  if ((readingGroups as readonly Name[]).includes(name)) checkMayOpen(tx, channel);
  const to = changeGrant(tx, { scope: "channel", ownerId: channel.id, name }, update);
  if (to === null) return;
  checkMayGive(tx, name);

  recordChange(tx, channel, "permission_changed", { name, from, to });
  changes.push({ property: name, value: to });
  if (name !== "can_send_message_group") return;
  notices.push(
    `${actorMention(tx)} changed who may post in this channel.\n\n* Before: ${wordsOf(tx, from)}\n* Now: ${wordsOf(tx, to)}`,
  );
}

/** A permission setting's users and groups as text: silent mentions, which notify nobody. */
function wordsOf(tx: Tx, value: GroupSettingValue): string {
  if (typeof value === "number") return groupWords(tx, value);
  const words = [
    ...value.direct_subgroups.map((id) => groupWords(tx, id)),
    ...value.direct_members.map((id) => mentionOf(tx, id)),
  ];
  return words.length === 0 ? "nobody" : words.join(", ");
}

function groupWords(tx: Tx, id: number): string {
  const { kind, name, description } = groupFor(tx, id);
  return kind === "system" ? `**${description}**` : `@_*${name}*`;
}
