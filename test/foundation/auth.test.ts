import { describe, expect, test } from "bun:test";
import { open } from "@/app.ts";
import {
  createUser,
  deactivateUser,
  rotateKey,
  setPassword,
  updateUser,
} from "@/foundation/accounts/actions.ts";
import { borrowKey } from "@/foundation/login/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { createRealm, deactivateRealm } from "@/foundation/realm-administration/actions.ts";
import { temporaryFolders } from "../support/folder.ts";
import { basic } from "../support/requests.ts";
import { type World, world } from "../support/world.ts";

const password = "correct horse battery";
const username = "mel@example.com";
const newFolder = temporaryFolders();

async function withPassword() {
  const made = world();
  await setPassword(made.ctx("mel"), { user_id: made.user("mel").id, password });
  const fetchKey = (given: object) => made.anonymous.post("/fetch_api_key", { username, password, ...given });
  return { ...made, fetchKey };
}

describe("fetch-api-key", () => {
  test("gives a new key that opens the account, and keeps the existing ones", async () => {
    const { fetchKey, login, as, user } = await withPassword();
    const { body, events } = await fetchKey({});
    expect(body).toMatchObject({ email: username, user_id: user("mel").id });
    expect(body.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(events).toEqual([]);

    const again = await fetchKey({});
    expect(again.body.api_key).not.toBe(body.api_key);
    for (const { api_key } of [body, again.body]) {
      expect((await login(username, api_key).get("/users/me")).body.full_name).toBe("Mel");
    }
    expect((await as("mel").get("/users/me")).status).toBe(200);
  });

  test("ignores case and surrounding spaces in the address", async () => {
    const { fetchKey } = await withPassword();
    expect((await fetchKey({ username: " MEL@Example.com " })).body.email).toBe(username);
  });

  test.each([
    ["a wrong password", { password: "correct horse batter" }],
    ["an empty password", { password: "" }],
    ["an address nobody has", { username: "nobody@example.com" }],
    ["an account without a password", { username: "max@example.com" }],
    ["a bot", { username: "bolt-bot@chat.example.com" }],
    ["a deactivated account, by a wrong password", { username: "dex@example.com", password: "wrong" }],
  ])("refuses %s in the same words", async (_, given) => {
    const { status, body, headers } = await (await withPassword()).fetchKey(given);
    expect([status, body]).toEqual([
      401,
      { result: "error", msg: "Your username or password is incorrect", code: "AUTHENTICATION_FAILED" },
    ]);
    expect(headers.has("www-authenticate")).toBe(true);
  });

  test("says that the account is deactivated only for the right password", async () => {
    const { fetchKey, ctx, user } = await withPassword();
    await deactivateUser(ctx("ada"), user("mel").id);
    expect(await fetchKey({})).toMatchObject({ status: 401, body: { code: "USER_DEACTIVATED" } });
  });

  test.each([["username"], ["password"]])("needs a %s", async (name) => {
    const answer = await (await withPassword()).fetchKey({ [name]: undefined });
    expect(answer).toMatchObject({ status: 400, body: { code: "REQUEST_VARIABLE_MISSING", var_name: name } });
  });

  test("refuses even the right password after five failures, for half an hour", async () => {
    const { fetchKey, clock } = await withPassword();
    for (let n = 0; n < 5; n++) {
      expect((await fetchKey({ password: "wrong" })).status).toBe(401);
      clock.advance(60);
    }
    const { status, body, headers } = await fetchKey({ username: username.toUpperCase() });
    expect([status, body]).toEqual([
      429,
      {
        result: "error",
        msg: "API usage exceeded rate limit. Try again in 1500 seconds.",
        code: "RATE_LIMIT_HIT",
        "retry-after": 1500,
      },
    ]);
    expect(headers.get("retry-after")).toBe("1500");
    expect((await fetchKey({ username: "max@example.com" })).status).toBe(401);

    clock.advance(1499);
    expect((await fetchKey({})).status).toBe(429);
    clock.advance(1);
    expect((await fetchKey({})).status).toBe(200);
  });

  test("a success resets the count of failures", async () => {
    const { fetchKey } = await withPassword();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 4; n++) await fetchKey({ password: "wrong" });
      expect((await fetchKey({})).status).toBe(200);
    }
  });

  test("limits failures from one network address, whatever the account", async () => {
    const { fetchKey } = await withPassword();
    const tries = Array.from({ length: 30 }, (_, n) => fetchKey({ username: `person${n}@example.com` }));
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401]));
    expect((await fetchKey({})).status).toBe(429);
  });

  test("a success neither counts against the network address nor clears its failures", async () => {
    const { fetchKey } = await withPassword();
    const tries = Array.from({ length: 29 }, (_, n) => fetchKey({ username: `person${n}@example.com` }));
    await Promise.all(tries);
    for (let n = 0; n < 2; n++) expect((await fetchKey({})).status).toBe(200);
    expect((await fetchKey({ username: "person@example.com" })).status).toBe(401);
    expect((await fetchKey({ username: "person@example.com" })).status).toBe(429);
  });
});

describe("credentials", () => {
  const ask = async ({ anonymous }: World, authorization: string) => {
    const response = await anonymous.request("/api/v1/users/me", { headers: { authorization } });
    return {
      status: response.status,
      code: ((await response.json()) as { code?: string }).code,
      headers: response.headers,
    };
  };

  test("are an address in any case and a key", async () => {
    const made = world();
    const { key } = made.user("mel");
    expect((await ask(made, basic("Mel@EXAMPLE.com", key))).status).toBe(200);
    expect((await ask(made, basic(username, key).replace("Basic", "basic"))).status).toBe(200);
  });

  test.each([
    ["nobody's address", () => basic("nobody@example.com", "x"), "UNAUTHORIZED"],
    ["a wrong key", () => basic(username, "x".repeat(32)), "UNAUTHORIZED"],
    ["an empty key", () => basic(username, ""), "UNAUTHORIZED"],
    ["another's key", ({ user }: World) => basic(username, user("max").key), "UNAUTHORIZED"],
    [
      "a key in the wrong case",
      ({ user }: World) => basic(username, user("mel").key.toLowerCase()),
      "UNAUTHORIZED",
    ],
    ["no colon", () => `Basic ${btoa("mel")}`, "UNAUTHORIZED"],
    ["what is not Base64", () => "Basic %%%", "UNAUTHORIZED"],
    ["a scheme without more", () => "Basic", "UNAUTHORIZED"],
    ["another scheme", () => "Bearer abc", "UNAUTHORIZED"],
    [
      "a deactivated account",
      ({ user }: World) => basic("dex@example.com", user("dex").key),
      "USER_DEACTIVATED",
    ],
    ["a deactivated account with a wrong key", () => basic("dex@example.com", "x"), "UNAUTHORIZED"],
  ])("refuses %s", async (_, authorization, code) => {
    const made = world();
    const answer = await ask(made, authorization(made));
    expect(answer).toMatchObject({ status: 401, code });
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="confab"');
  });

  test("of deactivated users are refused from the next request on, and work again after reactivation", async () => {
    const { as, ctx, user } = world();
    expect((await as("max").get("/users/me")).status).toBe(200);
    await deactivateUser(ctx("ada"), user("max").id);
    expect((await as("max").get("/users/me")).body.code).toBe("USER_DEACTIVATED");
  });

  test("ends the keys of a person's logins with their account; their main key opens it again", async () => {
    const { fetchKey, as, login, user } = await withPassword();
    const { api_key } = (await fetchKey({})).body;
    await as("ada").delete(`/users/${user("mel").id}`);
    await as("ada").post(`/users/${user("mel").id}/reactivate`);
    expect((await login(username, api_key).get("/users/me")).body.code).toBe("UNAUTHORIZED");
    expect((await as("mel").get("/users/me")).status).toBe(200);
  });
});

describe("rotateKey", () => {
  test("ends all keys at once; the new one opens the account, and its queues stay open", async () => {
    const { fetchKey, as, login, ctx, user, queue } = await withPassword();
    const other = (await fetchKey({})).body.api_key;
    const listening = await queue("mel");
    const { api_key } = await rotateKey(ctx("mel"), user("mel").id);

    expect((await as("mel").get("/users/me")).body.code).toBe("UNAUTHORIZED");
    expect((await login(username, other).get("/users/me")).body.code).toBe("UNAUTHORIZED");
    const renewed = login(username, api_key);
    expect((await renewed.get("/users/me")).status).toBe(200);
    const polled = await renewed.get("/events", {
      queue_id: listening.id,
      last_event_id: -1,
      dont_block: true,
    });
    expect(polled.status).toBe(200);
  });

  test.each([
    ["an administrator of anyone", "ada", "max"],
    ["an owner of an administrator", "olive", "ada"],
    ["a person of their bot", "mel", "bolt"],
    ["a bot of itself", "bolt", "bolt"],
    ["a guest of themselves", "gus", "gus"],
  ] as const)("lets %s", async (_, who, whose) => {
    const { ctx, user, login } = world();
    const { api_key } = await rotateKey(ctx(who), user(whose).id);
    expect((await login(user(whose).email, api_key).get("/users/me")).status).toBe(200);
  });

  test.each([
    ["a member of another member", "mel", "max"],
    ["a member of another's bot", "max", "bolt"],
    ["a bot of its owner", "bolt", "mel"],
    ["a moderator of a member", "moss", "mel"],
    ["an administrator of an owner", "ada", "olive"],
  ] as const)("refuses %s", async (_, who, whose) => {
    const { ctx, user, as } = world();
    await expect(rotateKey(ctx(who), user(whose).id)).rejects.toMatchObject({
      code: "UNAUTHORIZED_PRINCIPAL",
    });
    expect((await as(whose).get("/users/me")).status).toBe(200);
  });
});

describe("setPassword", () => {
  test("replaces the previous one", async () => {
    const { fetchKey, ctx, user, clock } = await withPassword();
    await setPassword(ctx("ada"), { user_id: user("mel").id, password: "another secret" });
    clock.advance(10);
    expect((await fetchKey({})).status).toBe(401);
    expect((await fetchKey({ password: "another secret" })).status).toBe(200);
  });

  test.each([
    ["another's", "max", "mel", "UNAUTHORIZED_PRINCIPAL"],
    ["an owner's, by an administrator", "ada", "olive", "UNAUTHORIZED_PRINCIPAL"],
    ["a bot's", "mel", "bolt", "BAD_REQUEST"],
  ] as const)("refuses %s", async (_, who, whose, code) => {
    const { ctx, user } = world();
    const input = { user_id: user(whose).id, password: "another secret" };
    await expect(setPassword(ctx(who), input)).rejects.toMatchObject({ code });
  });

  test("is kept as a salted hash", async () => {
    const { ctx, app } = world();
    const [one, two] = await Promise.all(
      ["a", "b"].map((name) =>
        createUser(ctx("olive"), {
          email: `${name}@example.com`,
          full_name: "Twin",
          password,
          role: roles.member,
        }),
      ),
    );
    const rows = app.env.db.all<{ password_hash: string }>(
      "SELECT password_hash FROM users WHERE id IN (?, ?)",
      one?.user.user_id ?? 0,
      two?.user.user_id ?? 0,
    );
    expect(new Set(rows.map((row) => row.password_hash)).size).toBe(2);
    for (const { password_hash } of rows) expect(password_hash).toStartWith("$argon2id$");
  });
});

describe("post-users-me-api-key-regenerate", () => {
  test.each(["mel", "bolt"] as const)("gives %s a new key, and ends the old one at once", async (name) => {
    const { as, login, user } = world();
    const { status, body, events } = await as(name).post("/users/me/api_key/regenerate");

    expect({ status, events }).toEqual({ status: 200, events: [] });
    expect(body.api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await as(name).get("/users/me")).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    expect(await login(user(name).email, body.api_key).get("/users/me")).toMatchObject({
      status: 200,
      body: { user_id: user(name).id },
    });
  });

  test("keeps event queues, and other people's keys", async () => {
    const { as, login, queue, user } = world();
    const { id } = await queue("mel");
    const { body } = await as("mel").post("/users/me/api_key/regenerate");
    const poll = { queue_id: id, last_event_id: -1, dont_block: true };
    expect(await login(user("mel").email, body.api_key).get("/events", poll)).toMatchObject({ status: 200 });
    expect(await as("max").get("/users/me")).toMatchObject({ status: 200 });
  });
});

describe("a connection that has been let in", () => {
  /** Asks as somebody, always over the same connection. */
  const connected = (w: World) => {
    const env = { incoming: { socket: {} } };
    return async (email: string, key: string) => {
      const request = new Request("http://localhost/api/v1/users/me", {
        headers: { authorization: basic(email, key) },
      });
      const response = await w.app.fetch(request, env);
      const { full_name, code } = (await response.json()) as { full_name?: string; code?: string };
      return full_name ?? code;
    };
  };
  const withKey = async (w: World, name: "mel" | "max") => {
    const { id, email } = w.user(name);
    return [email, (await rotateKey(w.ctx(name), id)).api_key] as const;
  };

  test("serves several people by turns, and is shut out with the key of one as soon as it is replaced", async () => {
    const w = world();
    const ask = connected(w);
    const [mel, max] = [await withKey(w, "mel"), await withKey(w, "max")];
    for (let i = 0; i < 3; i++) {
      expect([await ask(...mel), await ask(...max)]).toEqual(["Mel", "Max"]);
      expect(await ask(mel[0], max[1])).toBe("UNAUTHORIZED");
      expect(await ask(max[0], `${max[1].slice(0, -1)}!`)).toBe("UNAUTHORIZED");
    }
    const renewed = await withKey(w, "max");
    expect([await ask(...mel), await ask(...max), await ask(...renewed)]).toEqual([
      "Mel",
      "UNAUTHORIZED",
      "Max",
    ]);
  });

  test("is shut out as soon as its key is replaced", async () => {
    const w = world();
    const ask = connected(w);
    const [email, old] = await withKey(w, "mel");
    expect(await ask(email, old)).toBe("Mel");
    const [, key] = await withKey(w, "mel");
    expect(await ask(email, old)).toBe("UNAUTHORIZED");
    expect(await ask(email, key)).toBe("Mel");
    expect(await ask(email, old)).toBe("UNAUTHORIZED");
  });

  test("is shut out as soon as its user is deactivated", async () => {
    const w = world();
    const ask = connected(w);
    const [email, key] = await withKey(w, "mel");
    expect(await ask(email, key)).toBe("Mel");
    await deactivateUser(w.ctx("olive"), w.user("mel").id);
    expect(await ask(email, key)).toBe("USER_DEACTIVATED");
  });

  test("is shut out as soon as its address changes", async () => {
    const w = world();
    const ask = connected(w);
    const [email, key] = await withKey(w, "mel");
    expect(await ask(email, key)).toBe("Mel");
    const change = { user_id: w.user("mel").id, new_email: "melody@example.com" };
    await updateUser(w.ctx("olive"), change);
    expect(await ask(email, key)).toBe("UNAUTHORIZED");
    expect(await ask(change.new_email, key)).toBe("Mel");
  });

  test("is shut out as soon as the organization is closed", async () => {
    const w = world();
    const ask = connected(w);
    const [email, key] = await withKey(w, "mel");
    expect(await ask(email, key)).toBe("Mel");
    await deactivateRealm(w.ctx("olive"), {});
    expect(await ask(email, key)).toBe("REALM_DEACTIVATED");
  });

  test("may ask as somebody else, but not with a key of another length or one wrong letter", async () => {
    const w = world();
    const ask = connected(w);
    const [mel, melsKey] = await withKey(w, "mel");
    const [max, maxsKey] = await withKey(w, "max");
    expect(await ask(mel, melsKey)).toBe("Mel");
    expect(await ask(max, maxsKey)).toBe("Max");
    expect(await ask(max, `${maxsKey}0`)).toBe("UNAUTHORIZED");
    expect(await ask(max, `${maxsKey.slice(0, -1)}${maxsKey.endsWith("0") ? "1" : "0"}`)).toBe(
      "UNAUTHORIZED",
    );
    expect(await ask(max, melsKey)).toBe("UNAUTHORIZED");
    expect(await ask(mel, melsKey)).toBe("Mel");
  });
});

test("a key that another process created works at once", async () => {
  const dataDir = newFolder();
  const server = open(dataDir, { hosting: true });
  const owner = { owner_email: "olive@example.com", owner_name: "Olive" };
  const { user } = await createRealm(server.system, { name: "Crew", avatar_salt: "salt", ...owner });
  const command = open(dataDir);
  const asked = (key: string) => {
    const headers = { authorization: basic("olive@example.com", key) };
    return server.fetch(new Request("http://localhost/api/v1/users/me", { headers }));
  };
  try {
    expect((await asked("x".repeat(32))).status).toBe(401);
    const key = await borrowKey(command.ctx({ kind: "user", id: user.user_id, client: "test" }));
    expect((await asked(key)).status).toBe(200);
    expect((await asked("x".repeat(32))).status).toBe(401);
  } finally {
    await command.close();
    await server.close();
  }
});
