// The first visit of a server that was started without names, by the link that it printed.
import { afterAll, describe, expect, test } from "bun:test";
import { call, cleanUp, json, newFolder, type Server, serve } from "../support/executable.ts";

afterAll(() => cleanUp());

const said = {
  realm_name: "Harbour",
  full_name: "Ada Byron",
  email: "ada@example.com",
  password: "seven yellow kettles",
};
const html = { accept: "text/html" };

function linkOf(server: Server): URL {
  return new URL(/http\S+\/login\/link\/\w{32}/.exec(server.printed().stdout)?.[0] ?? "");
}

/** As a browser that has opened the link: the address of the form, and what it answers. */
function visitor(server: Server) {
  const { pathname } = linkOf(server);
  const at = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: "manual", ...init, headers: { ...html, ...init.headers } });
  const path = pathname.replace("/login/link/", "/first-visit/");
  const send = (form: Partial<typeof said>, headers: Record<string, string> = html) =>
    at(path, { method: "POST", headers, body: new URLSearchParams(form) });
  return { link: pathname, path, at, send };
}

const isSignedIn = async (server: Server) => {
  const body = new URLSearchParams({ username: said.email, password: said.password });
  const { status } = await fetch(`${server.url}/api/v1/fetch_api_key`, { method: "POST", body });
  return status === 200;
};

describe("complete-first-visit", () => {
  test("names the organization and its owner, once, also for two browsers at the same time", async () => {
    const data = newFolder();
    const server = await serve(data, [], { welcomes: true });
    const { link, path, at, send } = visitor(server);
    const key = /API key +(\w+)/.exec(server.printed().stdout)?.[1] ?? "";
    expect((await at(link)).headers.get("location")).toBe(path);
    const form = await (await at(path)).text();
    for (const name of Object.keys(said)) expect(form).toContain(`name="${name}" value="" required`);
    const inGerman = await at(path, { headers: { "accept-language": "de" } });
    expect(await inGerman.text()).toContain("Den Chat einrichten");
    const asked = { accept: "application/json" };
    expect(await (await at(path, { headers: asked })).json()).toMatchObject({
      is_first_visit: true,
      realm_name: "Confab",
    });

    for (const [field, value] of [
      ["realm_name", ""],
      ["full_name", "A"],
      ["email", "ada"],
      ["password", "password"],
      ["password", "short"],
    ] as const) {
      const refused = await send({ ...said, [field]: value });
      const page = await refused.text();
      expect([field, refused.status, /id="(\w+)"[^>]* aria-invalid/.exec(page)?.[1]]).toEqual([
        field,
        400,
        field,
      ]);
      expect(page).not.toContain(said.password);
    }
    expect((await send({}, asked)).status).toBe(400);
    expect(await json(["user", "list", "--data", data])).toMatchObject([{ email: "owner@localhost" }]);

    // Either may come first.
    const names = ["Ada Byron", "Anna Byron"];
    const both = await Promise.all(names.map((full_name) => send({ ...said, full_name })));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
    const firstAt = both.findIndex(({ status }) => status === 303);
    const first = both[firstAt];
    expect(first?.headers.get("location")).toBe("/");
    const cookie =
      first?.headers
        .getSetCookie()
        .map((one) => one.split(";")[0])
        .join("; ") ?? "";
    expect(cookie).toContain("sessionid=");
    const me = await fetch(`${server.url}/json/users/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({
      full_name: names[firstAt],
      delivery_email: said.email,
      is_owner: true,
    });
    for (const again of [await at(path), await send(said), await at(link)]) expect(again.status).toBe(410);
    expect(await isSignedIn(server)).toBe(true);
    expect(await call(server, { email: said.email, api_key: key }, ["GET", "/users/me"])).toMatchObject({
      status: 200,
    });
    expect(
      await call(server, { email: said.email, api_key: key }, ["GET", "/server_settings"]),
    ).toMatchObject({
      body: { realm_name: "Harbour" },
    });
    // The welcome came once it was known who the owner is.
    const narrow = { narrow: '[{"operator":"is","operand":"dm"}]', apply_markdown: "false" };
    const newest = { anchor: "newest", num_before: "10", num_after: "0", ...narrow };
    const { body } = await call(server, { email: said.email, api_key: key }, ["GET", "/messages"], newest);
    const welcomes = (body.messages as { content: string }[]).map(({ content }) => content);
    expect(welcomes).toEqual([expect.stringContaining("welcome to Harbour!")]);
    expect(welcomes[0]).toContain(`Sign in as \`${said.email}\` with your password.`);
    expect(welcomes[0]).not.toContain("your account has none yet");
    const entries = await json<{ actor: string }[]>(["audit", "--kind", "realm", "--data", data]);
    expect(entries.map((one) => [one.actor, JSON.stringify(one)])).toEqual([
      [said.email, expect.stringContaining("Harbour")],
    ]);

    // Later links only sign in.
    const { url } = await json<{ url: string }>(["user", "login-link", said.email, "--data", data]);
    const later = new URL(url).pathname;
    const page = await (await at(later)).text();
    expect(page).toContain(`Sign in as ${names[firstAt]}`);
    const other = later.replace("/login/link/", "/first-visit/");
    expect((await at(other)).headers.get("location")).toBe(later);
    expect((await at(other, { method: "POST", body: new URLSearchParams(said) })).status).toBe(400);
    await server.end("SIGTERM");
  });

  test("is asked for again, or is complete, after a kill at any moment of it", async () => {
    for (const pauses of [0, 1, 3]) {
      const data = newFolder();
      const server = await serve(data);
      const { path, send } = visitor(server);
      const answered = send(said).catch(() => null);
      for (let i = 0; i < pauses; i++) await fetch(`${server.url}/health`);
      await server.end("SIGKILL");
      await answered;
      const again = await serve(data, ["--port", String(server.port)]);
      const { status } = await fetch(again.url + path, { headers: html, redirect: "manual" });
      expect([status, await isSignedIn(again)]).toEqual(status === 200 ? [200, false] : [410, true]);
      await again.end("SIGTERM");
    }
  });
});

describe("get-first-visit", () => {
  test("is no question where the owner's address was given", async () => {
    const server = await serve(newFolder(), ["--owner-email", "olive@example.com"]);
    const { link, at } = visitor(server);
    expect(await (await at(link)).text()).toContain("Sign in as Owner");
    await server.end("SIGTERM");
  });
});
