// API keys: what logins hand out and what people make for programs, when they were used, and what ends them.
import { describe, expect, test } from "bun:test";
import { setPassword } from "@/foundation/accounts/actions.ts";
import { endKeysFor } from "@/foundation/keys/actions.ts";
import { listKeysOf } from "@/foundation/keys/queries.ts";
import { saveUses } from "@/foundation/keys/uses.ts";
import { makeResetLink } from "@/foundation/recovery/actions.ts";
import { basic, type Params } from "../support/requests.ts";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const mel = "mel@example.com";
const new_password = "staple of another kind";

async function withLogin(w: World = world()) {
  await givePassword(w, "mel");
  const fetchKey = async () =>
    (await w.anonymous.post("/fetch_api_key", { username: mel, password })).body.api_key as string;
  const opens = async (key: string) => (await w.login(mel, key).get("/users/me")).status === 200;
  return { w, fetchKey, opens };
}

const isUp = async (client: ReturnType<typeof webClient>) =>
  (await client.ask("GET", "/json/users/me")).status === 200;

describe("a changed password", () => {
  test("ends the keys of other logins and all other sessions; a key for programs and what makes the change stay", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const [phone, laptop] = [await fetchKey(), await fetchKey()];
    const browser = await signedIn(w, "mel");
    const change = { old_password: password, new_password };
    expect(await w.login(mel, phone).patch("/settings", change)).toMatchObject({ status: 200, events: [] });
    expect([await opens(phone), await opens(laptop), await isUp(browser)]).toEqual([true, false, false]);
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
    expect((await w.as("bolt").get("/users/me")).status).toBe(200);
  });

  test("in a browser ends the keys of all logins, and keeps this browser", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const phone = await fetchKey();
    const [browser, other] = [await signedIn(w, "mel"), await signedIn(w, "mel")];
    const change = { old_password: password, new_password };
    expect((await browser.ask("PATCH", "/json/settings", change)).status).toBe(200);
    expect([await opens(phone), await isUp(browser), await isUp(other)]).toEqual([false, true, false]);
  });

  test("keeps the person's other devices if they choose so; links that sign in end all the same", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const phone = await fetchKey();
    const [browser, other] = [await signedIn(w, "mel"), await signedIn(w, "mel")];
    const { path } = await makeResetLink(w.ctx("ada"), w.user("mel").id);
    const change = { old_password: password, new_password, keep_other_devices: true };
    expect((await browser.ask("PATCH", "/json/users/me/password", change)).status).toBe(200);
    expect([await opens(phone), await isUp(browser), await isUp(other)]).toEqual([true, true, true]);
    expect((await webClient(w.app).ask("GET", path)).status).toBe(404);
  });

  test("ends them when an administrator sets it, and by a link for a new password", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const before = await fetchKey();
    await setPassword(w.ctx("ada"), { user_id: w.user("mel").id, password });
    expect(await opens(before)).toBe(false);

    const again = await fetchKey();
    const { path } = await makeResetLink(w.ctx("ada"), w.user("mel").id);
    expect((await webClient(w.app).ask("POST", path, { password: new_password })).status).toBe(200);
    expect(await opens(again)).toBe(false);
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
  });

  test("that is refused ends nothing", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const phone = await fetchKey();
    const wrong = { old_password: "no", new_password };
    expect((await w.as("mel").patch("/settings", wrong)).status).toBe(400);
    expect(await opens(phone)).toBe(true);
  });

  test("answers the waiting poll of a login at once, and lets it wait no longer", async () => {
    const { w, fetchKey } = await withLogin();
    const phone = w.login(mel, await fetchKey());
    const { body } = await phone.post("/register", { apply_markdown: true, client_gravatar: false });
    const poll = { queue_id: body.queue_id, last_event_id: body.last_event_id };
    const waiting = phone.get("/events", poll);
    await w.as("mel").patch("/settings", { old_password: password, new_password });
    expect((await waiting).body.events).toEqual([]);
    expect((await phone.get("/events", poll)).status).toBe(401);
  });

  test("ends notifications of a browser that a login's key had subscribed, not those by another key", async () => {
    const { w, fetchKey } = await withLogin();
    const subscribe = (client: ReturnType<World["login"]>, name: string) =>
      client.post("/users/me/web_push", {
        endpoint: `https://push.example.com/${name}`,
        p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
        auth: "tBHItJI5svbpez7KI4CCXg",
      });
    expect((await subscribe(w.login(mel, await fetchKey()), "phone")).status).toBe(200);
    expect((await subscribe(w.as("mel"), "program")).status).toBe(200);
    await w.as("mel").patch("/settings", { old_password: password, new_password });
    const { subscriptions } = (await w.as("mel").get("/users/me/web_push")).body;
    expect(subscriptions).toMatchObject([{ endpoint: "https://push.example.com/program" }]);
  });
});

describe("change-own-password", () => {
  test("takes the old one, and ends other sessions and the keys of other logins", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const [phone, laptop] = [await fetchKey(), await fetchKey()];
    const change = (params: Params) => w.login(mel, phone).patch("/users/me/password", params);
    const refusals = [
      [{ new_password }, "To change the password, also give the old one."],
      [{ old_password: "no", new_password }, "Wrong password!"],
      [{ old_password: password, new_password: "mel@example.com" }, "This password is easy to guess."],
    ] as const;
    for (const [params, msg] of refusals) {
      const answer = await change(params);
      expect(answer).toMatchObject({ status: 400, events: [] });
      expect(answer.body.msg).toStartWith(msg);
    }
    expect(await opens(laptop)).toBe(true);
    expect(await change({ old_password: password, new_password })).toMatchObject({ status: 200, events: [] });
    expect([await opens(phone), await opens(laptop)]).toEqual([true, false]);
  });
});

describe("get-keys", () => {
  const keysOf = async (w: World) => (await w.as("mel").get("/users/me/keys")).body.keys;

  test("lists what keys are for, newest first, without the keys", async () => {
    const { w, fetchKey } = await withLogin();
    w.clock.advance(60);
    const key = await fetchKey();
    const now = w.clock.now();
    const keys = await keysOf(w);
    expect(keys).toMatchObject([
      { kind: "login", device: "test", created_at: now, last_used_at: null, is_current: false },
      { kind: "program", device: "", is_current: true },
    ]);
    expect(JSON.stringify(keys)).not.toContain(key);
  });

  test("says when each was used, to within an hour", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const key = await fetchKey();
    const at = w.clock.now();
    await opens(key);
    await saveUses(w.ctx("system"));
    expect((await keysOf(w))[0].last_used_at).toBe(at);
    w.clock.advance(3599);
    await opens(key);
    await saveUses(w.ctx("system"));
    expect((await keysOf(w))[0].last_used_at).toBe(at);
    w.clock.advance(1);
    await opens(key);
    await saveUses(w.ctx("system"));
    expect((await keysOf(w))[0].last_used_at).toBe(at + 3600);
  });

  test("notes uses over a connection that stays open", async () => {
    const { w, fetchKey } = await withLogin();
    const key = await fetchKey();
    const env = { incoming: { socket: {} } };
    const ask = () => {
      const headers = { authorization: basic(mel, key) };
      return w.app.fetch(new Request("http://localhost/api/v1/users/me", { headers }), env);
    };
    await ask();
    await saveUses(w.ctx("system"));
    w.clock.advance(7200);
    await ask();
    await saveUses(w.ctx("system"));
    expect((await keysOf(w))[0].last_used_at).toBe(w.clock.now());
  });
});

describe("end-key", () => {
  test("ends one key at once, and no other", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const [one, other] = [await fetchKey(), await fetchKey()];
    const { keys } = (await w.as("mel").get("/users/me/keys")).body;
    expect(await w.as("mel").delete(`/users/me/keys/${keys[1].id}`)).toMatchObject({
      status: 200,
      events: [],
    });
    expect([await opens(one), await opens(other)]).toEqual([false, true]);
    expect((await w.as("mel").get("/users/me/keys")).body.keys).toHaveLength(2);
  });

  test("refuses the key of somebody else in the words for one that does not exist", async () => {
    const { w } = await withLogin();
    const { keys } = (await w.as("mel").get("/users/me/keys")).body;
    const msg = "No such key";
    expect(await w.as("max").delete(`/users/me/keys/${keys[0].id}`)).toMatchObject({
      status: 400,
      body: { msg },
    });
    expect(await w.as("mel").delete("/users/me/keys/999999")).toMatchObject({ status: 400, body: { msg } });
    expect((await w.as("mel").get("/users/me")).status).toBe(200);
  });
});

describe("endKeysFor", () => {
  test("lets administrators end a person's keys, which the audit log says", async () => {
    const { w, fetchKey, opens } = await withLogin();
    const key = await fetchKey();
    const user_id = w.user("mel").id;
    expect(await endKeysFor(w.ctx("ada"), { user_id })).toBe(2);
    expect(await opens(key)).toBe(false);
    expect((await w.as("mel").get("/users/me")).status).toBe(401);
    const entry = w.app.env.db.get("SELECT event, data FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(entry).toMatchObject({ event: "user_keys_ended", data: JSON.stringify({ ended: 2 }) });
    expect(listKeysOf(w.ctx("ada"), user_id)).toEqual([]);
  });

  test.each([
    ["a member of another member", "mel", "max"],
    ["a bot of its owner", "bolt", "mel"],
    ["an administrator of an owner", "ada", "olive"],
  ] as const)("refuses %s", async (_, who, whose) => {
    const w = world();
    const user_id = w.user(whose).id;
    const refusal = { code: "UNAUTHORIZED_PRINCIPAL" };
    await expect(endKeysFor(w.ctx(who), { user_id })).rejects.toMatchObject(refusal);
    expect(() => listKeysOf(w.ctx(who), user_id)).toThrow();
    expect((await w.as(whose).get("/users/me")).status).toBe(200);
  });
});
