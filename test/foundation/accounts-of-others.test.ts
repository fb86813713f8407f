// What administrators see of other people's accounts, and end of them: how they sign in, sessions, keys.
import { describe, expect, test } from "bun:test";
import { endSessionsFor } from "@/foundation/sessions/actions.ts";
import { givePassword, signedIn } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const refusal = { status: 400, body: { code: "UNAUTHORIZED_PRINCIPAL" } };
const nobody = 999_999;
const others = ["moss", "mel", "gus"] as const satisfies readonly CastName[];

async function withSessions(...names: CastName[]): Promise<World> {
  const w = world();
  for (const name of names) {
    await givePassword(w, name);
    await signedIn(w, name);
  }
  return w;
}

const audited = async (w: World, about: CastName) => {
  const { body } = await w.as("olive").get("/audit_log", { about_user_id: w.user(about).id });
  return body.entries.map(({ event }: { event: string }) => event);
};

describe("get-sign-ins", () => {
  test("is listed for administrators, in pages by ID", async () => {
    const w = await withSessions("mel");
    const { body: whole } = await w.as("ada").get("/users/sign_ins");
    expect(whole.next).toBeNull();
    const mel = whole.sign_ins.find((one: { user_id: number }) => one.user_id === w.user("mel").id);
    expect(mel).toEqual({
      user_id: w.user("mel").id,
      has_password: true,
      has_two_step: false,
      providers: [],
      last_active: null,
    });
    const pages = [];
    for (let next: number | null = 0; next !== null; ) {
      const { body } = await w.as("olive").get("/users/sign_ins", { after: next, limit: 2 });
      expect(body.sign_ins.length).toBeLessThanOrEqual(2);
      pages.push(...body.sign_ins);
      next = body.next;
    }
    const ids = pages.map(({ user_id }) => user_id);
    expect(ids).toEqual(whole.sign_ins.map(({ user_id }: { user_id: number }) => user_id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test("has the last day on which somebody was active, a bot by its key", async () => {
    const w = world();
    await w.queue("mel");
    await w.as("bolt").get("/users/me");
    const { body } = await w.as("ada").get("/users/sign_ins");
    const today = new Date(w.clock.ms()).toISOString().slice(0, 10);
    const dayOf = (name: CastName) =>
      body.sign_ins.find((one: { user_id: number }) => one.user_id === w.user(name).id).last_active;
    expect([dayOf("mel"), dayOf("gus")]).toEqual([today, null]);
  });

  test.each(others)("is not for %s", async (who) => {
    expect(await world().as(who).get("/users/sign_ins")).toMatchObject(refusal);
  });
});

const cases = (what: "sessions" | "keys") => {
  const pathOf = (w: World, name: CastName) => `/users/${w.user(name).id}/${what}`;

  test.each(["olive", "ada"] as const)("are seen and ended by %s, which is audited", async (who) => {
    const w = await withSessions("mel");
    const { body } = await w.as(who).get(pathOf(w, "mel"));
    expect(body[what]).toHaveLength(1);
    const [{ id }] = body[what];
    expect(await w.as(who).delete(`${pathOf(w, "mel")}/${id + 100}`)).toMatchObject({
      status: 400,
      events: [],
    });
    expect(await w.as(who).delete(`${pathOf(w, "mel")}/${id}`)).toMatchObject({ status: 200 });
    expect((await w.as(who).get(pathOf(w, "mel"))).body[what]).toEqual([]);
    expect((await w.as(who).delete(pathOf(w, "mel"))).body.ended).toBe(0);
    expect(await audited(w, "mel")).toContain(`user_${what}_ended`);
  });

  test("are ended all at once", async () => {
    const w = await withSessions("mel");
    await signedIn(w, "mel");
    const { body } = await w.as("ada").get(pathOf(w, "mel"));
    expect((await w.as("ada").delete(pathOf(w, "mel"))).body.ended).toBe(body[what].length);
    expect((await w.as("ada").get(pathOf(w, "mel"))).body[what]).toEqual([]);
  });

  test("of an owner are for owners alone", async () => {
    const w = await withSessions("olive");
    const before = (await w.as("olive").get(pathOf(w, "olive"))).body[what];
    expect(await w.as("ada").get(pathOf(w, "olive"))).toMatchObject(refusal);
    expect(await w.as("ada").delete(pathOf(w, "olive"))).toMatchObject(refusal);
    expect(await w.as("ada").delete(`${pathOf(w, "olive")}/${before[0].id}`)).toMatchObject(refusal);
    expect((await w.as("olive").get(pathOf(w, "olive"))).body[what]).toEqual(before);
  });

  test.each(others)("are not for %s, who learns nothing of who exists", async (who) => {
    const w = await withSessions("ada");
    for (const id of [w.user("ada").id, nobody]) {
      const path = `/users/${id}/${what}`;
      expect(await w.as(who).get(path)).toMatchObject(refusal);
      expect(await w.as(who).delete(path)).toMatchObject(refusal);
      expect(await w.as(who).delete(`${path}/1`)).toMatchObject(refusal);
    }
    expect((await w.as("olive").get(pathOf(w, "ada"))).body[what].length).toBeGreaterThan(0);
  });
};

describe("get-user-sessions", () => {
  describe("end-user-session", () => {
    describe("end-user-sessions", () => cases("sessions"));
  });
});

describe("get-user-keys", () => {
  describe("end-user-key", () => {
    describe("end-user-keys", () => cases("keys"));
  });
});

test("a session that an administrator ends is told to its browser at once", async () => {
  const w = await withSessions("mel");
  const browser = await signedIn(w, "mel");
  await endSessionsFor(w.ctx("ada"), { user_id: w.user("mel").id });
  expect((await browser.ask("GET", "/json/users/me")).status).toBe(401);
});
