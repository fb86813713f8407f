// What new users find: an organization with some content, and a welcome message with first steps.
import { afterEach, describe, expect, test } from "bun:test";
import { createUser } from "@/foundation/accounts/actions.ts";
import { setServerOptions, setSite } from "@/foundation/realm-administration/actions.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import { openOrganization } from "@/personal/onboarding/actions.ts";
import { isUnused } from "@/personal/onboarding/queries.ts";
import { site } from "../support/cast.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
} from "../support/executable.ts";
import type { Json } from "../support/requests.ts";
import { type Client, type World, world } from "../support/world.ts";

afterEach(() => cleanUp());

const everything = { anchor: "newest", num_before: 100, num_after: 0 };

async function received(client: Client, params: Record<string, unknown> = {}): Promise<Json[]> {
  return (await client.get("/messages", { ...everything, narrow: [], apply_markdown: false, ...params })).body
    .messages;
}

async function receivedBy(server: Server, who: Credentials): Promise<Json[]> {
  const params = { anchor: "newest", num_before: "100", num_after: "0", apply_markdown: "false" };
  return (await call(server, who, ["GET", "/messages"], params)).body.messages as Json[];
}

/** A world whose server has run before. */
async function served(): Promise<World> {
  const w = world();
  await setSite(w.app.system, site);
  return w;
}

async function newcomer(w: World, email = "nia@example.com"): Promise<Client> {
  const person = { email, full_name: "Nia", password: "seven yellow kettles" };
  expect((await w.as("ada").post("/users", person)).status).toBe(200);
  const login = { username: email, password: person.password };
  return w.login(email, (await w.anonymous.post("/fetch_api_key", login)).body.api_key);
}

describe("a newcomer", () => {
  test("is welcomed by the Welcome Bot, with first steps and working clients", async () => {
    const w = await served();
    const { stream_id } = (await w.as("ada").post("/channels/create", { name: "hall", subscribers: [] }))
      .body;
    const id = stream_id ?? (await w.as("ada").get("/get_stream_id", { stream: "hall" })).body.stream_id;
    await w.as("ada").post("/default_streams", { stream_id: id });
    const [first, ...more] = await received(await newcomer(w));
    expect(more).toEqual([]);
    expect(first).toMatchObject({ type: "private", sender_full_name: "Welcome Bot", flags: [] });
    for (const part of [
      "Hello, and welcome to Test Organization!",
      "1. Say hello in #**hall>greetings**.",
      `* **Browser**\n  * Open ${site}\n  * Sign in as \`nia@example.com\` with your password.`,
      "* **Phone**\n  * Install the app Zulip from your phone's app store.",
      `Enter ${site} as the organization, then log in as \`nia@example.com\` with your password.`,
      "```\npip install zulip-term\nzulip-term\n```",
    ]) {
      expect(first?.content).toContain(part);
    }
    expect(first?.content).not.toContain("This organization is yours");
    expect(first?.content).not.toContain("your account has none");
  });

  test("reads it as HTML with links and lists, which clients decode", async () => {
    const w = await served();
    const [first] = await received(await newcomer(w), { apply_markdown: true });
    expect(first?.content).toContain("<ol>");
    expect(first?.content).toContain(`<li>Open <a href="${site}">${site}</a></li>`);
    expect(first?.content).toContain("<code>pip install zulip-term\nzulip-term\n</code></pre>");
    expect(first?.content).not.toContain("**");
  });

  test("also gets the organization's own text, even if the server sends no welcome", async () => {
    const w = await served();
    await w.as("ada").patch("/realm", { welcome_message_custom_text: "House rules" });
    expect((await received(await newcomer(w))).map(({ content }) => content)).toEqual([
      expect.stringContaining("Hello, and welcome"),
      "House rules",
    ]);
    await setServerOptions(w.app.system, { no_welcome: true });
    expect((await received(await newcomer(w, "noa@example.com"))).map(({ content }) => content)).toEqual([
      "House rules",
    ]);
  });

  test("is the only one who is notified", async () => {
    const w = await served();
    const { events } = await w
      .as("ada")
      .post("/users", { email: "nia@example.com", full_name: "Nia", password: "seven yellow kettles" });
    const notices = events.filter(({ event }) => event.type === "message");
    expect(notices).toHaveLength(1);
    expect(notices[0]?.audience).not.toContain("ada");
  });

  test("names no client that asks for a password where nobody signs in by password", async () => {
    const w = await served();
    await setServerOptions(w.app.system, { sign_on: [{ name: "company", button: "Company", icon: null }] });
    const authentication_methods = { Email: false, "OpenID Connect": true };
    await updateRealm(w.app.system, { authentication_methods });
    const { api_key } = await createUser(w.ctx("ada"), { email: "nia@example.com", full_name: "Nia" });
    const [first] = await received(w.login("nia@example.com", api_key));
    expect(first?.content).toContain("Sign in as `nia@example.com`.");
    for (const absent of ["password", "zulip-term"]) expect(first?.content).not.toContain(absent);
  });

  test("learns that an address works only on this machine", async () => {
    const w = world();
    await setSite(w.app.system, "http://127.0.0.1:9900");
    const [first] = await received(await newcomer(w));
    expect(first?.content).toContain("http://127.0.0.1:9900 (reachable only from the server's own machine)");
  });
});

describe("an organization that nobody has used", () => {
  test("starts with a channel, topics, and a welcome to everyone in it", async () => {
    const w = await served();
    await openOrganization(w.app.system, "https://chat.example.com");
    const mine = await received(w.as("mel"));
    expect(mine.map(({ type, subject }) => [type, subject])).toEqual([
      ["stream", "trying things out"],
      ["stream", "how topics work"],
      ["stream", "greetings"],
      ["private", ""],
    ]);
    expect(mine.every((message) => message.sender_full_name === "Welcome Bot")).toBe(true);
    expect(mine.at(-1)?.content).toContain("#**general>greetings**");
    const owners = (await received(w.as("olive"))).at(-1)?.content;
    expect(owners).toContain("*Organization* > *Invitations* makes a link to join");
    expect(owners).toContain("confab invite link");
    // The account was created with an API key only.
    expect(owners).toContain("`confab user password olive@example.com` sets one.");
    // Guests are subscribed to no channel by default.
    const [guests, ...more] = await received(w.as("gus"));
    expect([guests?.type, more]).toEqual(["private", []]);
    expect(guests?.content).not.toContain("greetings");
    expect(await received(w.as("bolt"))).toEqual([]);
    const { realm_default_streams } = (await w.queue("mel")).state;
    expect(realm_default_streams).toHaveLength(1);
  });

  test("is opened once, also by a start that goes on after one that was killed", async () => {
    const w = world();
    const site = "https://chat.example.com";
    // As if it had been killed before it stored the address: all are welcomed, and the organization seems unused.
    await openOrganization(w.app.system, site);
    await setSite(w.app.system, "");
    expect(isUnused(w.app.system)).toBe(true);
    await openOrganization(w.app.system, site);
    expect((await received(w.as("mel"))).map(({ type }) => type)).toEqual([
      ...["stream", "stream", "stream"],
      "private",
    ]);
    expect(isUnused(w.app.system)).toBe(false);
  });

  test("keeps existing channels", async () => {
    const w = await served();
    await w.as("ada").post("/channels/create", { name: "hall", subscribers: [] });
    await openOrganization(w.app.system, "https://chat.example.com");
    const { streams } = (await w.as("olive").get("/streams")).body;
    expect(streams.map(({ name }: Json) => name)).toEqual(["hall"]);
  });
});

describe("serve", () => {
  test("gets its first channel only on its first run", async () => {
    const data = newFolder();
    const { owner } = await newOrganization(data);
    const first = await serve(data, ["--site", "https://chat.example.com"], { welcomes: true });
    const found = await receivedBy(first, owner);
    expect(found.map(({ subject }) => subject)).toEqual([
      "trying things out",
      "how topics work",
      "greetings",
      "",
    ]);
    expect(found.at(-1)?.content).toContain("Enter https://chat.example.com as the organization");
    const ann = await json<Credentials>([
      "user",
      "create",
      "--email",
      "ann@example.com",
      "--name",
      "Ann",
      "--data",
      data,
    ]);
    expect((await receivedBy(first, ann)).at(-1)?.content).toContain("log in as `ann@example.com`");
    await first.end("SIGTERM");

    const second = await serve(data, [], { welcomes: true });
    expect(await receivedBy(second, owner)).toHaveLength(4);
  });

  test("starts empty if set", async () => {
    const data = newFolder();
    const { owner } = await newOrganization(data);
    const server = await serve(data);
    expect(await receivedBy(server, owner)).toEqual([]);
    const ann = await json<Credentials>([
      "user",
      "create",
      "--email",
      "ann@example.com",
      "--name",
      "Ann",
      "--data",
      data,
    ]);
    expect(await receivedBy(server, ann)).toEqual([]);
    expect((await confab(["config", "--data", data])).stdout).toMatch(/^no_welcome +false +default$/m);
  });

  test("--dev has messages for everyone, including the guest", async () => {
    const server = await serve(newFolder(), ["--dev"], { welcomes: true });
    for (const name of ["ines", "mei", "lena"]) {
      const asked = await fetch(`${server.url}/api/v1/dev_fetch_api_key?username=${name}@example.com`, {
        method: "POST",
      });
      const found = await receivedBy(server, (await asked.json()) as Credentials);
      expect(found.length).toBeGreaterThan(5);
      expect(found.at(-1)?.sender_full_name).toBe("Welcome Bot");
    }
  });
});
