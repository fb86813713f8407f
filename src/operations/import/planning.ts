// Chooses all IDs before the first row is written, so that a killed import can see how far it came.
import { newName } from "@/foundation/file-stores/names.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { findUserByAddress } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { channelNamed, visibleChannels } from "@/places/channels/access.ts";
import { freeName, noAddress } from "./intake/names.ts";
import type { Spool } from "./intake/store-spool.ts";
import type { ImportedChannel, ImportedPerson, ImportReport, ImportSource } from "./schema.ts";
import * as store from "./store.ts";

/** The last IDs in use before the import. */
export interface Base {
  user: number;
  channel: number;
  message: number;
  /** The owner of an organization that this import created; null if it existed before. */
  ownerMade: number | null;
}

/** People first, because bots refer to their owners. */
export function inOrder<P extends ImportedPerson>(people: readonly P[]): P[] {
  return [...people.filter(({ isBot }) => !isBot), ...people.filter(({ isBot }) => isBot)];
}

export function plan(ctx: Ctx, spool: Spool, source: ImportSource): void {
  if (spool.fact("base") !== null) return;
  const base: Base = {
    user: store.lastIdOf(ctx, "users"),
    channel: store.lastIdOf(ctx, "channels"),
    message: store.lastIdOf(ctx, "messages"),
    ownerMade: spool.fact<number>("owner"),
  };
  const { people, addresses, known } = planPeople(ctx, inOrder(spool.people()), {
    source,
    next: base.user + 1,
  });
  const channels = planChannels(ctx, spool.channels(), { source, next: base.channel + 1 });
  spool.plan({
    people,
    channels,
    newFileName: newName,
    facts: { base, addresses, known: base.ownerMade === null ? known : known - 1 },
  });
}

interface PlannedPeople {
  people: { key: string; id: number }[];
  /** The address of each new account, by key. */
  addresses: Record<string, string>;
  known: number;
}

/** Each person with the address of their account. */
function* giveAddresses<P extends ImportedPerson>(
  people: readonly P[],
  source: ImportSource,
): Generator<{ person: P; address: string }> {
  const taken = new Set<string>();
  for (const person of people) {
    const { key, email } = person;
    const address = email !== null && !taken.has(email.toLowerCase()) ? email : noAddress(source, key);
    taken.add(address.toLowerCase());
    yield { person, address };
  }
}

/** The people who have an account here already, with the same address. */
export function matchesOf(
  ctx: Ctx,
  people: readonly ImportedPerson[],
  source: ImportSource,
): ImportReport["matches"] {
  return [...giveAddresses(inOrder(people), source)].flatMap(({ person: { name }, address }) => {
    const there = findUserByAddress(ctx, address);
    return there ? [{ email: address, name, name_here: there.full_name }] : [];
  });
}

function planPeople(
  ctx: Ctx,
  people: readonly ImportedPerson[],
  { source, next }: { source: ImportSource; next: number },
): PlannedPeople {
  const planned: PlannedPeople = { people: [], addresses: {}, known: 0 };
  let id = next;
  for (const { person, address } of giveAddresses(people, source)) {
    const { key } = person;
    const there = findUserByAddress(ctx, address);
    if (there) planned.known++;
    else planned.addresses[key] = address;
    planned.people.push({ key, id: there?.id ?? id++ });
  }
  return planned;
}

/** Merges a channel with one of the same name and privacy; gives it another name if the privacy differs. */
function planChannels(
  ctx: Ctx,
  channels: readonly ImportedChannel[],
  { source, next }: { source: ImportSource; next: number },
): { key: string; id: number; name: string }[] {
  const taken = new Set(visibleChannels(ctx).map(({ name }) => name.trim().toLowerCase()));
  const used = new Set<number>();
  let id = next;
  return channels.map((channel) => {
    const { key, name } = channel;
    const there = channelNamed(ctx, name);
    if (there && isAlike(there, channel) && !used.has(there.id)) {
      used.add(there.id);
      return { key, id: there.id, name: there.name };
    }
    const wanted = there && !used.has(there.id) ? `${name} (${source})` : name;
    return { key, id: id++, name: freeName(wanted, taken, limits.max_stream_name_length) };
  });
}

function isAlike(
  there: {
    invite_only: 0 | 1;
    is_web_public: 0 | 1;
    is_archived: 0 | 1;
    history_public_to_subscribers: 0 | 1;
  },
  { isPrivate, isWebPublic, isArchived, sharesHistory }: ImportedChannel,
): boolean {
  return (
    (there.invite_only === 1) === isPrivate &&
    (there.is_web_public === 1) === isWebPublic &&
    (there.is_archived === 1) === isArchived &&
    (there.history_public_to_subscribers === 1) === sharesHistory
  );
}
