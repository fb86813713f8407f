import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { type LostMachine, membership } from "./host.ts";
import { findRemovable } from "./queries.ts";
import type { KnownNode, MadeSnapshot } from "./schema.ts";

/** Drains the node that gets the request, so that it can be stopped; for owners. */
export const drainNode = operation(allow.owner, (ctx): Promise<void> => membership(ctx).drain());

/** Lets a drained node take part again, because it is not to be stopped after all; for owners. */
export const undrainNode = operation(allow.owner, (ctx): Promise<void> => membership(ctx).undrain());

/** Stores a copy of the database of the node that gets the request, for nodes that join; for owners. */
export const makeSnapshot = operation(allow.owner, (ctx): Promise<MadeSnapshot> => {
  return membership(ctx).makeSnapshot();
});

/** Ends the record of a node that is gone for good; returns the names of those that are left. For owners. */
export const removeNode = operation(allow.owner, async (ctx, name: string): Promise<string[]> => {
  const found = await findRemovable(ctx, name);
  await recordRemoval(ctx, found);
  return membership(ctx).remove(found);
});

/** Makes a token by which a new machine takes the place of a lost one, at its address. For owners. */
export const replaceNode = operation(allow.owner, async (ctx, name: string): Promise<Replacement> => {
  const lost = await membership(ctx).findReplaceable(name);
  await recordToken(ctx, lost);
  return { token: await membership(ctx).letReplace(lost), is_witness: lost.is_witness };
});

interface Replacement {
  readonly token: string;
  readonly is_witness: boolean;
}

const recordToken = action(allow.owner, (tx, { name, address }: LostMachine): void => {
  recordAudit(tx, { event: "node_token_made", about: { kind: "server" }, data: { node: name, address } });
});

const recordRemoval = action(allow.owner, (tx, { node, url }: KnownNode): void => {
  recordAudit(tx, { event: "node_removed", about: { kind: "server" }, data: { node, url } });
});
