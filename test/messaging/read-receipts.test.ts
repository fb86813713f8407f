import { describe, expect, test } from "bun:test";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { type CastName, type World, world } from "../support/world.ts";

/** A channel of mel, max and gus with a message by mel that nobody else has read. */
async function scene(more: Record<string, unknown> = {}) {
  const w = world();
  const subscribers = (["mel", "max", "gus"] as const).map((name) => w.user(name).id);
  const { body } = await w.as("ada").post("/channels/create", { name: "party", subscribers, ...more });
  return { ...w, channel: body.id as number, id: await send(w, "mel") };
}

async function send({ as }: World, who: CastName, content = "a"): Promise<number> {
  const message = { type: "channel", to: "party", topic: "t", content, read_by_sender: true };
  return (await as(who).post("/messages", message)).body.id;
}

const mark = ({ as }: World, who: CastName, id: number, op: "add" | "remove" = "add") =>
  as(who).post("/messages/flags", { messages: [id], op, flag: "read" });

async function readers({ as, user }: World, id: number, who: CastName = "mel") {
  const { body } = await as(who).get(`/messages/${id}/read_receipts`);
  const names = (["olive", "ada", "moss", "mel", "max", "gus", "dex", "bolt"] as const).map((name) => name);
  return body.user_ids?.map((one: number) => names.find((name) => user(name).id === one) ?? one);
}

describe("get-read-receipts", () => {
  test("lists who has read the message, except its sender", async () => {
    const w = await scene();
    expect(await readers(w, w.id)).toEqual([]);
    await mark(w, "gus", w.id);
    expect(await readers(w, w.id)).toEqual(["gus"]);
    await mark(w, "max", w.id);
    expect(await readers(w, w.id, "gus")).toEqual(["max", "gus"]);
  });

  test("distinguishes messages read before, after and in between", async () => {
    const w = await scene();
    const ids = [w.id];
    for (let n = 0; n < 40; n++) ids.push(await send(w, n % 3 === 0 ? "max" : "mel"));
    const read = new Set([0, 3, 8, 9, 16, 17, 31, 40].map((n) => ids[n] as number));
    for (const id of read) await mark(w, "gus", id);
    const found = await Promise.all(ids.map(async (id) => (await readers(w, id)).includes("gus")));
    expect(found).toEqual(ids.map((id) => read.has(id)));
  });

  test("omits users who mark it as unread, and includes users who mark everything as read", async () => {
    const w = await scene();
    await mark(w, "max", w.id);
    await mark(w, "max", w.id, "remove");
    expect(await readers(w, w.id)).toEqual([]);
    await w.as("gus").post("/mark_all_as_read");
    expect(await readers(w, w.id)).toEqual(["gus"]);
  });

  test("omits users who never received it, and deactivated users", async () => {
    const w = await scene();
    const late = w.user("moss").id;
    await w
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "party" }], principals: [late] });
    await mark(w, "max", w.id);
    expect(await readers(w, w.id)).toEqual(["max"]);
    const next = await send(w, "mel");
    await mark(w, "moss", next);
    expect(await readers(w, next)).toEqual(["moss"]);
    await deactivateUser(w.ctx("ada"), late);
    expect(await readers(w, next)).toEqual([]);
  });

  test("omits users who turned it off", async () => {
    const w = await scene();
    for (const who of ["max", "gus"] as const) await mark(w, who, w.id);
    expect((await w.as("max").patch("/settings", { send_read_receipts: false })).status).toBe(200);
    expect(await readers(w, w.id)).toEqual(["gus"]);
  });

  test("lists users who have an old message in their history", async () => {
    const w = await scene();
    await w.as("ada").post("/messages/flags", { messages: [w.id], op: "add", flag: "starred" });
    expect(await readers(w, w.id)).toEqual(["ada"]);
  });

  test("lists the other participants of a direct message", async () => {
    const w = world();
    const to = [w.user("max").id, w.user("gus").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "psst" })).body;
    expect(await readers(w, id)).toEqual([]);
    await mark(w, "max", id);
    expect(await readers(w, id, "gus")).toEqual(["max"]);
  });

  test.each([
    ["unseen", "ada"],
    ["absent", "mel"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await scene({ invite_only: true });
    const id = which === "absent" ? 999 : w.id;
    const body = { code: "BAD_REQUEST", msg: "Invalid message(s)" };
    expect(await w.as(who).get(`/messages/${id}/read_receipts`)).toMatchObject({
      status: 400,
      body,
      events: [],
    });
  });

  test("is refused if the organization turned it off", async () => {
    const w = await scene();
    await w.app.env.db.write(w.ctx("system"), (tx) => realmSettings.write(tx, "enable_read_receipts", false));
    const body = { code: "BAD_REQUEST", msg: "Read receipts are disabled in this organization." };
    expect(await w.as("mel").get(`/messages/${w.id}/read_receipts`)).toMatchObject({ status: 400, body });
  });
});
