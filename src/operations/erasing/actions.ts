import { deactivateAndMail } from "@/foundation/accounts/actions.ts";
import { dropName, eraseAccount } from "@/foundation/accounts/actions-erasing.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { dropAvatar } from "@/foundation/avatars/actions.ts";
import { removePicture } from "@/foundation/files/kept-pictures.ts";
import { withdrawMailsTo } from "@/foundation/mail/actions.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { dropValuesOf } from "@/foundation/profile-fields/actions-values.ts";
import { botsOf, userToChange } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { forgetInvitedAddress } from "@/outside/invitations/actions-records.ts";
import { dropStatusOf } from "@/personal/user-status/actions.ts";
import { accountToEmpty, personToErase } from "./access.ts";
import { carryOnUntil } from "./running.ts";
import { allKinds, type Erasing, type FarewellActions, messageKinds, type Traces } from "./schema.ts";
import * as store from "./store.ts";

const maxMs = 50_000;

interface Begun {
  /** IDs of the work that is left. */
  works: number[];
  /** Pictures that no row uses any more. */
  pictures: string[];
}

async function finish(ctx: Ctx, { works, pictures }: Begun, until: number): Promise<{ complete: boolean }> {
  for (const picture of pictures) await removePicture(ctx.env, picture);
  return { complete: await carryOnUntil(ctx, works, until) };
}

/**
 * Erases a person. Name, address and what opens the account go at once, the rest in many transactions. If that takes long, returns
 * `complete: false` and goes on; a request that is repeated waits for it.
 */
export const eraseUser = operation(
  allow.owner,
  async (ctx, erasing: Erasing): Promise<{ complete: boolean }> => {
    const until = ctx.db.clock.steady() + maxMs;
    return finish(ctx, await beginErasing(ctx, erasing), until);
  },
);

const beginErasing = action(allow.owner, (tx, { user_id, messages }: Erasing): Begun => {
  const user = personToErase(tx, user_id);
  const bots = botsOf(tx, user.id);
  if (user.erased_at !== null) return { works: worksOf(tx, [user, ...bots]), pictures: [] };

  const traces = tracesOf(user);
  dropStatusOf(tx, user.id);
  dropValuesOf(tx, user);
  const picture = dropAvatar(tx, user);
  eraseAccount(tx, user);
  for (const address of traces.addresses) forgetInvitedAddress(tx, address);
  withdrawMailsTo(tx, traces.addresses);
  const kinds = messages === "delete" ? allKinds : 0;
  const works = kinds === 0 ? [] : bots.map(({ id }) => keepWork(tx, id, { messages: kinds, reactions: 1 }));
  works.push(keepWork(tx, user.id, { messages: kinds, reactions: kinds === 0 ? 0 : 1, traces }));
  recordAudit(tx, { event: "user_erased", about: { kind: "user", id: user.id }, data: { messages } });
  return { works, pictures: picture === null ? [] : [picture] };
});

function tracesOf({ full_name, email, delivery_email }: UserRow): Traces {
  return {
    names: [full_name],
    addresses: [...new Set([delivery_email.toLowerCase(), email.toLowerCase()])],
  };
}

function worksOf(tx: Tx, users: readonly UserRow[]): number[] {
  const ids = new Set(users.map(({ id }) => id));
  return store
    .listWork(tx)
    .filter(({ user_id }) => ids.has(user_id))
    .map(({ id }) => id);
}

interface Wanted {
  messages: number;
  reactions: 0 | 1;
  traces?: Traces;
}

function keepWork(tx: Tx, user_id: number, { messages, reactions, traces }: Wanted): number {
  return store.insertWork(tx, {
    user_id,
    actor_id: me(tx).id,
    client: tx.actor.client,
    messages,
    reactions,
    traces: traces === undefined ? null : JSON.stringify(traces),
    stage: "messages",
    last_id: Number.MAX_SAFE_INTEGER,
  });
}

/** Deletes all messages and reactions of a user and their bots, with the files that only these messages link to; `complete` as in `eraseUser`. */
export const deleteMessagesOf = operation(
  allow.admin,
  async (ctx, userId: number): Promise<{ complete: boolean }> => {
    const until = ctx.db.clock.steady() + maxMs;
    return finish(ctx, await beginDeleting(ctx, userId), until);
  },
);

const beginDeleting = action(allow.admin, (tx, userId: number): Begun => {
  const user = accountToEmpty(tx, userId);
  return { works: beginWork(tx, user, { messages: allKinds, reactions: 1 }), pictures: [] };
});

/** Returns the work on the user's bots and then on the user: what is under way already, or else new work. */
function beginWork(tx: Tx, user: UserRow, wanted: Wanted): number[] {
  const known = store.listWork(tx);
  return [...botsOf(tx, user.id), user].map(({ id }) => {
    const begun = known.find(
      (one) => one.user_id === id && (one.messages & wanted.messages) === wanted.messages,
    );
    return begun?.id ?? keepWork(tx, id, wanted);
  });
}

export interface Farewell {
  user_id: number;
  comment?: string | undefined;
  actions: FarewellActions;
}

/** Deactivates a user and, by `actions`, takes name and picture and deletes messages, the user's and their bots'. */
export const deactivateWith = operation(allow.admin, async (ctx, farewell: Farewell): Promise<void> => {
  const until = ctx.db.clock.steady() + maxMs;
  await finish(ctx, await beginFarewell(ctx, farewell), until);
});

const beginFarewell = action(allow.admin, (tx, { user_id, comment, actions }: Farewell): Begun => {
  deactivateAndMail.in(tx, { user_id, comment });
  const user = userToChange(tx, user_id);
  const pictures = actions.delete_profile
    ? [...botsOf(tx, user.id), user].flatMap((one) => dropProfile(tx, one) ?? [])
    : [];
  const messages =
    (actions.delete_public_channel_messages ? messageKinds.public : 0) |
    (actions.delete_private_channel_messages ? messageKinds.private : 0) |
    (actions.delete_direct_messages ? messageKinds.direct : 0);
  return { works: messages === 0 ? [] : beginWork(tx, user, { messages, reactions: 0 }), pictures };
});

/** Returns the picture, which no row uses any more. */
function dropProfile(tx: Tx, user: UserRow): string | null {
  const picture = dropAvatar(tx, user);
  dropName(tx, user.id);
  recordAudit(tx, {
    event: "user_profile_deleted",
    about: { kind: user.is_bot ? "bot" : "user", id: user.id },
  });
  return picture;
}
