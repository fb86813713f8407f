// What `user list`, `channel list` and `channel create --folder` tell and leave out.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { runForRemotePerson } from "@cli/commands/remote-runner.ts";
import { allCommands } from "@cli/loaders.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { commandLine } from "../support/command-line.ts";
import { cleanUp, type Founded, newOrganization } from "../support/executable.ts";
import { type CastName, world } from "../support/world.ts";

let founded: Founded;
const { json, text, refused } = commandLine(() => founded.data);

beforeAll(async () => {
  founded = await newOrganization();
});
afterAll(() => cleanUp());

const day = 86_400;

async function served() {
  const w = world();
  setRunner(w.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
  const run = (who: CastName, command: string, given: object) =>
    w.as(who).post("/command", { command, given });
  type Listed = { email: string; last_active?: string | null }[];
  const listed = async (given: object) =>
    ((await run("ada", "user list", given)).body.document as Listed).map(({ email }) => email);
  return { w, run, listed };
}

describe("user list", () => {
  test("tells the last active day of people and bots, to administrators alone", async () => {
    const { w, run } = await served();
    const bot = await w.as("mel").post("/bots", { full_name: "Builds", short_name: "builds" });
    const joined = new Date(w.clock.now() * 1000).toISOString().slice(0, 10);
    await w.as("max").post("/messages", { type: "direct", to: [w.user("mel").id], content: "Hello" });
    w.clock.advance(40 * day);
    await w.as("mel").get("/users/me");
    const now = new Date(w.clock.now() * 1000).toISOString().slice(0, 10);
    const { body } = await run("ada", "user list", {});
    const lastOf = (id: number) =>
      (body.document as { user_id: number; last_active: string | null }[]).find(
        ({ user_id }) => user_id === id,
      )?.last_active;
    expect(lastOf(w.user("max").id)).toBe(joined);
    expect(lastOf(w.user("mel").id)).toBe(now);
    expect(lastOf(w.user("gus").id)).toBeNull();
    expect(lastOf(bot.body.user_id)).toBeNull();

    const shown = await run("ada", "user show", { email: w.user("max").email });
    expect(shown.body.document).toMatchObject({ last_active: joined });
    const others = await run("mel", "user list", {});
    expect(others.body.document.every((one: object) => !("last_active" in one))).toBe(true);
    const hidden = await run("mel", "user list", { inactive_since: "30d" });
    expect([hidden.status, hidden.body.msg]).toEqual([400, "Must be an organization administrator"]);
  });

  test("--inactive-since: who was not active since then, and joined before", async () => {
    const { w, listed } = await served();
    await w.as("max").get("/users/me");
    w.clock.advance(40 * day);
    await w.as("mel").get("/users/me");
    const made = await w
      .as("ada")
      .post("/users", { email: "newcomer@example.com", full_name: "New", password: "long enough for all" });
    expect(made.status).toBe(200);
    const found = await listed({ inactive_since: "30d", kind: "person" });
    expect(found).toContain(w.user("max").email);
    expect(found).toContain(w.user("gus").email);
    expect(found).not.toContain(w.user("mel").email);
    expect(found).not.toContain("newcomer@example.com");
    expect(await listed({ inactive_since: "41d" })).toEqual([]);
    const date = new Date((w.clock.now() - 30 * day) * 1000).toISOString().slice(0, 10);
    expect(await listed({ inactive_since: date, kind: "person" })).toEqual(found);
  });

  test("--group: members, also through subgroups; what cannot be meant is refused", async () => {
    await json(["user", "create", "--email", "mel@example.com", "--name", "Mel"]);
    await json(["group", "create", "painters", "--members", "mel@example.com"]);
    await json(["group", "create", "artists"]);
    await json(["group", "add", "artists", "--subgroup", "painters"]);
    expect(await json(["user", "list", "--group", "artists"])).toMatchObject([{ email: "mel@example.com" }]);
    expect(await json(["user", "list", "--group", "artists", "--role", "owner"])).toEqual([]);
    expect(await text(["user", "list", "--group", "artists"])).toMatch(
      /^ID .* LAST ACTIVE\n\d+ +mel@example\.com +Mel +member +person +active +never\n$/,
    );
    expect(await refused(["user", "list", "--group", "nobody"], 1)).toContain("no user group named 'nobody'");
    for (const wrong of ["soon", "0d", "2026-02-30", "-3d"])
      expect(await refused(["user", "list", `--inactive-since=${wrong}`], 2)).toContain(
        "days such as 90d, or a date such as 2026-01-31",
      );
    expect(await refused(["user", "list", "--inactive-since", "2999-01-01"], 1)).toContain("in the future");
  });
});

describe("channel", () => {
  test("create --folder puts it in a folder; list tells the folder, and lists by folder, kind and state", async () => {
    await json(["folder", "create", "Projects"]);
    await json(["channel", "create", "loose"]);
    const made = ["channel", "create", "site", "--folder", "projects", "--private"];
    expect(await text(made)).toMatch(
      /^Created the channel site \(ID \d+\) with 1 subscriber in the folder Projects\.\n$/,
    );
    expect(await json(["channel", "show", "site"])).toMatchObject({ folder: "Projects" });
    expect(await text(["channel", "show", "site"])).toMatch(/^Folder +Projects$/m);
    await json(["channel", "create", "old", "--folder", "Projects"]);
    await json(["channel", "archive", "old", "--yes"]);
    const names = async (...args: string[]) =>
      ((await json(["channel", "list", ...args])) as { name: string }[]).map(({ name }) => name).sort();
    expect(await names("--folder", "PROJECTS")).toEqual(["old", "site"]);
    expect(await names("--folder", "Projects", "--state", "active")).toEqual(["site"]);
    expect(await names("--state", "archived")).toEqual(["old"]);
    expect(await names("--kind", "private")).toEqual(["site"]);
    expect(await names("--kind", "web-public")).toEqual([]);
    expect(await names("--folder", "")).toContain("loose");
    expect(await names("--folder", "")).not.toContain("site");
    expect(await text(["channel", "list", "--kind", "private"])).toMatch(
      /^ID +NAME +KIND +FOLDER +SUBSCRIBERS +DESCRIPTION\n\d+ +site +private +Projects +1\n$/,
    );

    expect(await refused(["channel", "list", "--folder", "Nowhere"], 1)).toContain("no channel folder named");
    expect(await refused(["channel", "create", "lost", "--folder", "Nowhere"], 1)).toContain(
      "no channel folder named 'Nowhere'",
    );
    expect(await refused(["channel", "show", "lost"], 1)).toContain("no channel named");
  });
});
