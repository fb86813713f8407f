// The process of a cluster's node says at which addresses people reach the nodes.
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { perApp } from "@/kernel/store/per-app.ts";

const addresses = perApp((): { list: () => readonly string[] } => ({ list: () => [] }));

/** `list` returns the origins of all nodes. A page that leaves one of them tries those after it first, then those before it. */
export function announceNodes(reads: Reads, list: () => readonly string[]): void {
  addresses(reads).list = list;
}

/** Whether people reach a node of the cluster at this origin. */
export function isNode(reads: Reads, origin: string | undefined): boolean {
  return origin !== undefined && addresses(reads).list().includes(origin);
}

/**
 * Where a page may go if its node dies: the origins of the other nodes. None if people reach the page by another address than that of
 * its node, such as a proxy's: that address leads to all nodes.
 */
export function otherNodes(
  { actor: { site }, db }: Pick<Ctx, "actor" | "db">,
  { header }: Pick<RequestFacts, "header">,
): readonly string[] {
  const all = addresses({ db }).list();
  const at = site === undefined ? -1 : all.indexOf(site);
  const isForwarded = ["x-forwarded-for", "x-forwarded-host", "forwarded"].some((name) => header(name));
  return at < 0 || isForwarded ? [] : [...all.slice(at + 1), ...all.slice(0, at)];
}
