// The channels and groups that the people of a CSV file come into: found and checked before anybody is added.
import { updateMembers } from "@/foundation/groups/actions.ts";
import { refusalToAdd } from "@/foundation/groups/queries.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { subscribe } from "@/places/subscriptions/actions.ts";
import { refusalToSubscribe } from "@/places/subscriptions/queries.ts";
import { channelNamed, groupNamed } from "../values.ts";

export interface Places {
  channels: readonly string[];
  groups: readonly string[];
}

interface ImportPlace {
  kind: "channel" | "group";
  id: number;
  name: string;
}

type FoundPlace = { place: ImportPlace } | { refusal: string };

/** Reads a cell: names or IDs, separated by semicolons. */
export function placeNames(cell: string): string[] {
  return cell
    .split(";")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Returns a function that finds a person's places, or says why they cannot come into one. Looks each up once. */
export function placesFinder(ctx: Ctx): (wanted: Places) => { places: ImportPlace[]; refusals: string[] } {
  const known = new Map<string, FoundPlace>();
  const find = (kind: ImportPlace["kind"], name: string): FoundPlace => {
    const key = `${kind} ${name.toLowerCase()}`;
    const found = known.get(key) ?? (kind === "channel" ? channelFound(ctx, name) : groupFound(ctx, name));
    known.set(key, found);
    return found;
  };
  return ({ channels, groups }) => {
    const all = [
      ...channels.map((name) => find("channel", name)),
      ...groups.map((name) => find("group", name)),
    ];
    return {
      places: all.flatMap((one) => ("place" in one ? [one.place] : [])),
      refusals: all.flatMap((one) => ("refusal" in one ? [one.refusal] : [])),
    };
  };
}

function channelFound(ctx: Ctx, text: string): FoundPlace {
  return orRefusal(() => {
    const { stream_id: id, name, is_archived } = channelNamed(ctx, text);
    if (is_archived) return { refusal: `The channel '${name}' is archived` };
    const refusal = refusalToSubscribe(ctx, id);
    return refusal === null ? { place: { kind: "channel", id, name } } : { refusal };
  });
}

function groupFound(ctx: Ctx, text: string): FoundPlace {
  return orRefusal(() => {
    const { id, name, deactivated } = groupNamed(ctx, text);
    if (deactivated) return { refusal: `The group '${name}' is deactivated` };
    const refusal = refusalToAdd(ctx, id);
    return refusal === null ? { place: { kind: "group", id, name } } : { refusal: `${name}: ${refusal}` };
  });
}

function orRefusal(find: () => FoundPlace): FoundPlace {
  try {
    return find();
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}

/** Brings new people into their places; returns the places that refused, although all were checked before. */
export async function bringIn(
  ctx: Ctx,
  people: readonly { user_id: number; places: readonly ImportPlace[] }[],
): Promise<{ name: string; reason: string }[]> {
  const wanted = new Map<string, { place: ImportPlace; ids: Set<number> }>();
  for (const { user_id, places } of people) {
    for (const place of places) {
      const key = `${place.kind} ${place.id}`;
      const entry = wanted.get(key) ?? { place, ids: new Set<number>() };
      entry.ids.add(user_id);
      wanted.set(key, entry);
    }
  }
  const failed: { name: string; reason: string }[] = [];
  for (const { place, ids } of wanted.values()) {
    try {
      if (place.kind === "channel") await subscribe(ctx, { channel_ids: [place.id], user_ids: [...ids] });
      else await updateMembers(ctx, { group_id: place.id, add: [...ids] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ name: `${place.kind} ${place.name}`, reason: error.message });
    }
  }
  return failed;
}
