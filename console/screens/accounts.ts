// What the screens for people and bots share.

import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";

import { deactivateUser, reactivateUser, rotateKey } from "../changes/people.ts";
import type { ActionOutcome, Column, RowAction } from "../screen.ts";

export const stateColumn: Column<User> = {
  title: "STATE",
  value: ({ is_active }) => (is_active ? "active" : "deactivated"),
  tone: ({ is_active }) => (is_active ? "good" : "dim"),
};

async function deactivate(ctx: Ctx, { user_id, full_name }: User): Promise<ActionOutcome> {
  await deactivateUser(ctx, user_id);
  return { message: `${full_name} is deactivated.`, undo: (now) => reactivateUser(now, user_id) };
}

async function reactivate(ctx: Ctx, { user_id, full_name }: User): Promise<ActionOutcome> {
  await reactivateUser(ctx, user_id);
  return { message: `${full_name} is active again.`, undo: (now) => deactivateUser(now, user_id) };
}

export function accountActions(): RowAction<User>[] {
  return [
    {
      key: "d",
      title: ({ is_active }) => (is_active ? "deactivate" : "reactivate"),
      confirm: ({ is_active, full_name }) =>
        is_active ? `Deactivate ${full_name}? Their access ends at once; their messages stay.` : null,
      run: (ctx, user) => (user.is_active ? deactivate(ctx, user) : reactivate(ctx, user)),
    },
    {
      key: "a",
      need: "machine",
      title: ({ is_active }) => (is_active ? "new API key" : null),
      isForOne: true,
      confirm: ({ full_name }) =>
        `Give ${full_name} a new API key? All their current keys stop working, which also logs them out.`,
      async run(ctx, { user_id }) {
        const { user, api_key } = await rotateKey(ctx, user_id);
        return { message: `${user.full_name} has a new API key.`, secret: keyFacts(user, api_key) };
      },
    },
  ];
}

export function keyFacts(user: User, key: string): [string, string][] {
  return [
    ["Email", addressOf(user)],
    ["API key", key],
  ];
}
