import type { ZulipRealm } from "./schema.ts";

export const recipientTypes = { person: 1, channel: 2, group: 3 } as const;

/** The people of each recipient of `type`, by its ID. */
export function membersOf(
  realm: ZulipRealm,
  type: number,
): Map<string, { typeId: string; members: string[] }> {
  const found = new Map(
    realm.zerver_recipient
      .filter((one) => one.type === type)
      .map(({ id, type_id }) => [id, { typeId: type_id, members: [] as string[] }]),
  );
  for (const { user_profile, recipient, active } of realm.zerver_subscription) {
    if (active || type === recipientTypes.group) found.get(recipient)?.members.push(user_profile);
  }
  return found;
}
