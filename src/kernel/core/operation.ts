import type { Actor, Ctx, Tx } from "./context.ts";

/** Throws unless the actor has the permission. */
export type Permission = (ctx: Ctx) => void;

export type Query<I, O> = (ctx: Ctx, input: I) => O;

export interface Action<I, O> {
  /** Runs in a new transaction; resolves when it is on disk. */
  (ctx: Ctx, input: I): Promise<O>;
  /** Runs as a part of another action. */
  in(tx: Tx, input: I): O;
}

type NotPromise<O> = O extends PromiseLike<unknown> ? never : O;

/** A read as the actor sees it; checks `permission` first. */
export function query<I = void, O = unknown>(
  permission: Permission,
  body: (ctx: Ctx, input: I) => O,
): Query<I, O> {
  return (ctx, input) => {
    permission(ctx);
    return body(ctx, input);
  };
}

/**
 * A write by the actor. The body is synchronous, and the permission is checked inside its transaction. Set `isRepeatable`
 * for frequent actions that change nothing but the database (`Db.write`).
 */
export function action<I = void, O = void>(
  permission: Permission,
  body: (tx: Tx, input: I) => NotPromise<O>,
  { isRepeatable = false } = {},
): Action<I, O> {
  const inside = (tx: Tx, input: I): O => {
    permission(tx);
    return body(tx, input);
  };
  const alone = (ctx: Ctx, input: I): Promise<O> =>
    ctx.db.write(ctx, (tx) => inside(tx, input), isRepeatable);
  return Object.assign(alone, { in: inside });
}

/** The server itself, where a user's request needs what no user may do. */
export const asSystem = ({ env, db, now }: Ctx): Ctx => ({
  env,
  db,
  now,
  actor: { kind: "system", id: 0, client: "Internal" },
});

/** The same transaction with another actor, such as one that announces what an action did. */
export function actingAs(tx: Tx, actor: Actor): Tx {
  return Object.create(tx, { actor: { value: actor, enumerable: true } }) as Tx;
}

/**
 * Work by the actor that takes several transactions, or waits for something: hashing, files, other servers. The actions
 * that it calls check their own permissions inside their transactions.
 */
export function operation<I = void, O = void>(
  permission: Permission,
  body: (ctx: Ctx, input: I) => Promise<O>,
): (ctx: Ctx, input: I) => Promise<O> {
  return async (ctx, input) => {
    permission(ctx);
    return body(ctx, input);
  };
}

/** The same transaction at another time, for imported changes that happened earlier. */
export function atTime(tx: Tx, now: number): Tx {
  return Object.create(tx, { now: { value: now, enumerable: true } }) as Tx;
}
