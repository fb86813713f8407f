import { describe, expect, test } from "bun:test";
import { changeRole, deactivateUser, rotateKey } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { world } from "../support/world.ts";

describe("the audit log", () => {
  test("lists who changed what and when, newest first, with pages and filters", async () => {
    const { ctx, user, clock } = world();
    const at = clock.now();
    await changeRole(ctx("olive"), { user_id: user("mel").id, role: roles.moderator });
    clock.advance(60);
    await deactivateUser(ctx("ada"), user("bolt").id);

    const [last, previous] = listAudit(ctx("ada"), { limit: 2 });
    expect(last).toEqual({
      id: expect.any(Number),
      at: at + 60,
      actor_id: user("ada").id,
      actor_name: "Ada",
      client: "test",
      event: "bot_deactivated",
      about: { kind: "bot", id: user("bolt").id, name: "Bolt" },
      person_id: user("mel").id,
      person_name: "Mel",
      data: {},
      details: {},
    });
    expect(previous).toMatchObject({
      at,
      actor_id: user("olive").id,
      event: "user_role_changed",
      data: { from: roles.member, to: roles.moderator },
    });
    const seen = last?.id ?? 0;
    expect(listAudit(ctx("ada"), { limit: 1, before: seen })).toEqual([previous!]);
    expect(listAudit(ctx("ada"), { limit: 9, event: "bot_deactivated" })).toEqual([last!]);
    expect(listAudit(ctx("ada"), { limit: 9, actorId: user("ada").id, since: at + 1 })).toEqual([last!]);
    const about = { kind: "user", id: user("mel").id } as const;
    expect(listAudit(ctx("ada"), { limit: 9, about }).map(({ event }) => event)).toEqual([
      "user_role_changed",
      "user_created",
    ]);
  });

  test("contains no secrets and no failed changes", async () => {
    const { ctx, user } = world();
    const { api_key } = await rotateKey(ctx("ada"), user("mel").id);
    const [entry] = listAudit(ctx("ada"), { limit: 1 });
    expect(entry).toMatchObject({ event: "user_key_replaced", about: { kind: "user", id: user("mel").id } });
    expect(JSON.stringify(entry)).not.toContain(api_key);

    await expect(changeRole(ctx("mel"), { user_id: user("max").id, role: roles.admin })).rejects.toThrow();
    expect(listAudit(ctx("ada"), { limit: 1 })).toEqual([entry!]);
  });

  test("is only for administrators", () => {
    const { ctx } = world();
    expect(() => listAudit(ctx("moss"), { limit: 1 })).toThrow("Must be an organization administrator");
  });
});
