// The composer's warnings before a message notifies many people, or mentions people who cannot read it.
import type { Client } from "../../api/client.ts";
import { listNames, t } from "../../lib/texts.ts";
import { isMember } from "../../state/groups.ts";
import type { Place } from "../../state/places.ts";
import { channelOf, nameOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";

export interface Warning {
  key: string;
  text: string;
  /** People that the message mentions and that cannot read it; they could be subscribed. */
  strangers?: readonly number[];
}

/** With this many people, @everyone needs confirmation. */
const manyPeople = 5;

/** Whether a text may need a warning. Most do not, and are sent without looking up subscribers. */
export function mayWarn(content: string): boolean {
  return content.includes("@**");
}

export async function warningsFor(client: Client, place: Place, content: string): Promise<Warning[]> {
  const state = client.store.get();
  if ("user_ids" in place) return [];
  const bare = withoutCode(content);
  const strangers = await strangersAmong(client, place.stream_id, findMentioned(state, bare));
  return [
    ...wildcardWarning(state, place.stream_id, bare),
    ...strangerWarning(state, place.stream_id, strangers),
  ];
}

const maxAsked = 10;

/** The users who are not subscribed. Unknown ones count as subscribed. */
async function strangersAmong(
  { api, store }: Client,
  channelId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { users, self } = store.get();
  const people = ids.filter((id) => id !== self.user_id && !users[id]?.is_bot).slice(0, maxAsked);
  const answers = await Promise.all(
    people.map((id) =>
      api.get<{ is_subscribed: boolean }>(`/users/${id}/subscriptions/${channelId}`).then(
        ({ is_subscribed }) => is_subscribed,
        () => true,
      ),
    ),
  );
  return people.filter((_, at) => answers[at] === false);
}

function wildcardWarning(state: State, channelId: number, content: string): Warning[] {
  if (!/(?:^|[\s'"({[/<])@\*\*(everyone|all|channel|stream)\*\*/.test(content)) return [];
  const count = channelOf(state, channelId)?.subscriber_count ?? 0;
  if (count < manyPeople) return [];
  const channel = `#${channelOf(state, channelId)?.name ?? ""}`;
  const text = t(
    "{count, plural, one {This notifies # person of {channel}.} other {This notifies all # people of {channel}.}}",
    { count, channel },
  );
  return [{ key: "everyone", text }];
}

function strangerWarning(state: State, channelId: number, strangers: readonly number[]): Warning[] {
  const channel = channelOf(state, channelId);
  if (!channel || strangers.length === 0) return [];
  const values = {
    count: strangers.length,
    names: listNames(strangers.map((id) => nameOf(state, id))),
    channel: `#${channel.name}`,
  };
  const text = channel.invite_only
    ? t(
        "{count, plural, one {{names} is not subscribed to {channel} and will not see this.} other {{names} are not subscribed to {channel} and will not see this.}}",
        values,
      )
    : t(
        "{count, plural, one {{names} is not subscribed to {channel} and may not notice this.} other {{names} are not subscribed to {channel} and may not notice this.}}",
        values,
      );
  return [{ key: `strangers ${strangers.join()}`, text, strangers }];
}

function findMentioned(state: State, content: string): number[] {
  const ids = new Set<number>();
  const byName = new Map<string, number>();
  for (const { full_name, user_id, is_active } of Object.values(state.users)) {
    if (is_active) byName.set(full_name.toLowerCase(), user_id);
  }
  for (const [, name = "", , id] of content.matchAll(
    /(?<![\p{L}\p{N}])@\*\*(([^*|\n]*)(?:\|(\d+))?)\*\*/gu,
  )) {
    const found = id === undefined ? byName.get(name.toLowerCase()) : Number(id);
    if (found !== undefined && state.users[found]) ids.add(found);
  }
  return [...ids];
}

function withoutCode(content: string): string {
  return content.replace(/^(```|~~~)(?!quote|spoiler)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
}

/** Why the person may not write here, as far as the client knows; null if they may. */
export function reasonForClosed(state: State, place: Place): string | null {
  if ("user_ids" in place) return null;
  const channel = channelOf(state, place.stream_id);
  if (!channel) return t("This channel does not exist, or you may not see it.");
  if (channel.is_archived) return t("This channel is archived: nobody can write here any more.");
  const may = channel.can_send_message_group;
  const { user_id } = state.self;
  const allowed =
    typeof may === "number"
      ? isMember(state.groups, may, user_id)
      : may.direct_members.includes(user_id) ||
        may.direct_subgroups.some((id) => isMember(state.groups, id, user_id));
  return allowed ? null : t("You may read this channel, but not write in it.");
}
