// Whether the nats-servers are one cluster, and hold the same. When new ones start at the same moment, sometimes two form one without the third, which then
// follows their leader, but gets no copy of anything until it starts again.
import { z } from "zod";
import { listText } from "@/kernel/lib/wording.ts";
import { askMonitor } from "./nats-check.ts";

const answered = z.object({
  server_id: z.string(),
  /** Absent on one that is alone by its configuration. */
  meta_cluster: z
    .object({
      leader: z.string().default(""),
      cluster_size: z.number(),
      /** Only the leader knows the others. */
      replicas: z.array(z.object({ name: z.string() })).default([]),
    })
    .optional(),
});

/** A nats-server, as it sees its cluster; `leader` is empty while it knows none. */
export interface Meta {
  readonly name: string;
  readonly leader: string;
  /** Those that it knows, itself included, if it leads them. */
  readonly members: readonly string[];
  /** How many it counts. */
  readonly size: number;
}

/** What a nats-server answers of its cluster; `answer` is that of /jsz?meta=1. */
export function metaOf(name: string, answer: unknown): Meta | null {
  const { data } = answered.safeParse(answer);
  if (!data) return null;
  const { leader = "", cluster_size: size = 1, replicas = [] } = data.meta_cluster ?? {};
  const members = leader === name ? [name, ...replicas.map((one) => one.name)] : [];
  return { name, leader, members, size };
}

export async function metaAt(name: string, address: string, ca?: string): Promise<Meta | null> {
  return metaOf(name, await askMonitor(address, "/jsz?meta=1", ca));
}

export interface Division {
  readonly finding: string;
  readonly remedy: string;
}

/** Why the nats-servers that answer cannot keep so many copies, and what helps; null if they can, as far as they say. */
export function divisionOf(all: readonly Meta[], replicas: number): Division | null {
  const small = all.find(({ size }) => size < replicas);
  const [most] = all.toSorted((a, b) => b.members.length - a.members.length);
  if (!most || most.members.length === 0) {
    if (all.length <= replicas / 2) return null;
    if (!all.some(({ leader, size }) => leader !== "" || size === 1)) {
      return {
        finding: `${listText(all.map(({ name }) => name))} have no leader, so they store nothing.`,
        remedy:
          "They elect one within ten seconds, once most of them reach each other: see that the routes of each lead to all others, and that " +
          "their 'cluster' blocks have the same name.",
      };
    }
    return small ? tooFew(small, replicas) : null;
  }
  const apart = namesApart(all);
  if (apart.length === 0) return small && all.length >= replicas ? tooFew(small, replicas) : null;
  const one = apart.length === 1;
  return {
    finding: `The nats-servers ${listText(most.members.toSorted())} formed a cluster without ${listText(apart)}, and the log has ${replicas} copies.`,
    remedy:
      `Restart ${listText(apart)}: ${one ? "it joins" : "they join"} the others then. If that does not help, see that the routes of each lead ` +
      "to all others, and that their 'cluster' blocks have the same name.",
  };
}

/** Those that are not in the cluster which most are in. */
export function namesApart(all: readonly Meta[]): string[] {
  const [most] = all.toSorted((a, b) => b.members.length - a.members.length);
  if (!most || most.members.length === 0) return [];
  return all.filter(({ name }) => !most.members.includes(name)).map(({ name }) => name);
}

function tooFew({ name, size }: Meta, replicas: number): Division {
  return {
    finding: `${name} counts ${size} nats-server${size === 1 ? "" : "s"} to its cluster, and the log has ${replicas} copies.`,
    remedy: "See that the routes of each nats-server lead to all others, and restart those that are alone.",
  };
}

/** How the leader of something that several nats-servers keep sees the copy of another. */
export interface Copy {
  readonly name: string;
  readonly current: boolean;
  readonly offline?: boolean | undefined;
  /** Nanoseconds since the other's last sign of life. */
  readonly active: number;
  readonly lag?: number | undefined;
}

/** NATS's servers send a sign of life each second. */
const aliveNanoseconds = 2_000_000_000;

export const isWhole = ({ current, offline, active, lag }: Copy) =>
  current && !offline && active < aliveNanoseconds && (lag ?? 0) === 0;

const group = z.object({
  leader: z.string().default(""),
  replicas: z
    .array(
      z.object({
        name: z.string(),
        current: z.boolean(),
        offline: z.boolean().optional(),
        active: z.number(),
        lag: z.number().optional(),
      }),
    )
    .default([]),
});
const kept = z.object({
  meta_cluster: group,
  account_details: z
    .array(z.object({ stream_detail: z.array(z.object({ name: z.string(), cluster: group })).default([]) }))
    .default([]),
});

/**
 * Those of these nats-servers that lack something which another of them holds, or do not answer at their monitoring addresses. Where none of them
 * leads, any may lack something.
 */
export async function serversLacking(
  servers: readonly { name: string; address: string }[],
  ca?: string,
): Promise<string[]> {
  const views = await Promise.all(
    servers.map(async ({ name, address }) => {
      const answer = await askMonitor(address, "/jsz?streams=1&meta=1", ca).catch(() => null);
      const { data } = kept.safeParse(answer);
      if (!data) return { name, groups: null };
      const streams = data.account_details.flatMap(({ stream_detail }) => stream_detail);
      return { name, groups: [{ name: "", cluster: data.meta_cluster }, ...streams] };
    }),
  );
  const names = servers.map(({ name }) => name);
  const silent = views.flatMap(({ name, groups }) => (groups ? [] : [name]));
  const all = views.flatMap(({ name: by, groups }) => (groups ?? []).map((one) => ({ ...one, by })));
  const behind = [...new Set(all.map(({ name }) => name))].flatMap((group) => {
    // Only the leader knows how far the others are.
    const led = all.find(({ name, by, cluster }) => name === group && cluster.leader === by);
    const copies = led?.cluster.replicas.filter(({ name }) => names.includes(name));
    return copies?.filter((one) => !isWhole(one)).map(({ name }) => name) ?? names;
  });
  return [...new Set([...silent, ...behind])].toSorted();
}
