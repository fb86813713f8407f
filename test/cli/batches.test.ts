// One command for many users or channels: which it selects, what it says before, what it does when some fail.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runForRemotePerson } from "@cli/commands/remote-runner.ts";
import { allCommands } from "@cli/loaders.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { commandLine } from "../support/command-line.ts";
import { cleanUp, confab, type Founded, newFolder, newOrganization, serve } from "../support/executable.ts";
import { type CastName, world } from "../support/world.ts";

let founded: Founded;
const { json, refused, run } = commandLine(() => founded.data);

beforeAll(async () => {
  founded = await newOrganization();
});
afterAll(() => cleanUp());

type Given = Record<string, string | string[] | true>;

/** A world whose server runs commands. */
function served() {
  const w = world();
  setRunner(w.app.env, async (ctx, line) => runForRemotePerson(await allCommands(), ctx, line));
  const order = (who: CastName, command: string, given: Given) =>
    w.as(who).post("/command", { command, given });
  const emails = (...names: CastName[]) => names.map((name) => w.user(name).email);
  const changed = (body: { document: Record<string, { email: string }[]> }, part = "changed") =>
    body.document[part]?.map(({ email }) => email);
  return { w, order, emails, changed };
}
const day = 86_400;
const yes = true as const;

describe("user deactivate", () => {
  test("takes many; names all unknown ones, and then changes nobody", async () => {
    const { w, order, emails, changed } = served();
    const unknown = await order("olive", "user deactivate", {
      email: [...emails("mel"), "a@example.com", "b@example.com", "77777"],
      yes,
    });
    expect(unknown.body.msg).toBe(
      "There is no user with the address or ID 'a@example.com', 'b@example.com' and '77777'. Nothing was changed.",
    );
    expect(unknown.events).toEqual([]);
    const some = { email: [...emails("mel", "max"), String(w.user("gus").id)] };
    const asked = await order("olive", "user deactivate", some);
    expect(asked.body).toMatchObject({
      needs: "agreement",
      question:
        "This deactivates 3 people with 1 bot: Mel (mel@example.com), Max (max@example.com) and Gus (gus@example.com). Their sessions, keys and queues end at once; their messages stay. Go on?",
    });
    expect(asked.events).toEqual([]);
    const done = await order("olive", "user deactivate", { ...some, yes });
    expect(changed(done.body)).toEqual(emails("mel", "max", "gus"));
    expect(done.body.document.failed).toEqual([]);
    const again = await order("olive", "user deactivate", { email: emails("ada", "mel"), yes });
    expect([changed(again.body), changed(again.body, "unchanged")]).toEqual([emails("ada"), emails("mel")]);
    const nothing = await order("olive", "user deactivate", { email: emails("mel"), yes });
    expect(nothing.body.msg).toBe("User is already deactivated");
  });

  test("changes nobody if the last owner is among them, or somebody the actor may not change", async () => {
    const { order, emails } = served();
    const last = await order("olive", "user deactivate", { email: emails("mel", "olive"), yes });
    expect(last.body.msg).toBe(
      "Nobody was changed: olive@example.com: The owner permission cannot be removed from the only organization owner.",
    );
    const above = await order("ada", "user deactivate", { email: emails("mel", "olive"), yes });
    expect(above.body.msg).toContain("olive@example.com: Must be an organization owner");
    const low = await order("mel", "user deactivate", { email: emails("max", "gus"), yes });
    expect(low.body.msg).toBe("Must be an organization administrator");
    expect([...last.events, ...above.events, ...low.events]).toEqual([]);
  });

  test("--inactive-since and --group choose active people, without the actor and without bots", async () => {
    const { w, order, emails, changed } = served();
    w.clock.advance(40 * day);
    await w.as("mel").get("/users/me");
    const members = [w.user("mel").id, w.user("max").id, w.user("bolt").id, w.user("olive").id];
    await w.as("olive").post("/user_groups/create", { name: "team", description: "", members });
    const given = { inactive_since: "30d", group: "team" };
    const asked = await order("olive", "user deactivate", given);
    expect(asked.body.question).toStartWith("This deactivates 1 person: Max (max@example.com).");
    expect(changed((await order("olive", "user deactivate", { ...given, yes })).body)).toEqual(emails("max"));
    const nobody = await order("olive", "user deactivate", given);
    expect(nobody.body.document).toEqual({ changed: [], unchanged: [], failed: [] });
    const narrowed = { email: emails("gus", "mel"), inactive_since: "30d", yes };
    expect(changed((await order("olive", "user deactivate", narrowed)).body)).toEqual(emails("gus"));
    expect((await order("olive", "user deactivate", { yes })).body).toMatchObject({
      msg: "name users, or choose them by --file, --group or --inactive-since",
      misused: true,
    });
  });

  test("the actor goes last, and the others have gone before", async () => {
    const { w, order, emails, changed } = served();
    const done = await order("ada", "user deactivate", { email: emails("ada", "mel", "max"), yes });
    expect(changed(done.body)).toEqual(emails("mel", "max", "ada"));
    expect((await w.as("ada").get("/users/me")).status).toBe(401);
  });
});

describe("user reactivate and user role", () => {
  test("--group gives a role to the members, without the actor", async () => {
    const { w, order, emails, changed } = served();
    const members = [w.user("mel").id, w.user("ada").id];
    await w.as("olive").post("/user_groups/create", { name: "team", description: "", members });
    const given = { words: ["moderator"], group: "team", yes };
    expect(changed((await order("ada", "user role", given)).body)).toEqual(emails("mel"));
    const named = { words: [...emails("mel", "ada"), "moderator"], group: "team", yes };
    expect(changed((await order("ada", "user role", named)).body)).toEqual(emails("ada"));
    expect((await order("olive", "user reactivate", { yes })).body.msg).toBe(
      "name users, or choose them by --file or --inactive-since",
    );
  });

  test("ask only for several", async () => {
    const { order, emails, changed } = served();
    await order("olive", "user deactivate", { email: emails("mel", "max", "gus"), yes });
    const one = await order("olive", "user reactivate", { email: emails("gus") });
    expect(changed(one.body)).toEqual(emails("gus"));
    const asked = await order("olive", "user reactivate", { email: emails("mel", "max", "gus") });
    expect(asked.body.question).toBe(
      "This reactivates 2 people: Mel (mel@example.com) and Max (max@example.com). Go on?",
    );
    const done = await order("olive", "user reactivate", { email: emails("mel", "max", "gus"), yes });
    expect([changed(done.body), changed(done.body, "unchanged")]).toEqual([
      emails("mel", "max"),
      emails("gus"),
    ]);
    const words = [...emails("mel", "max", "ada"), "guest"];
    expect((await order("olive", "user role", { words })).body.question).toBe(
      "This gives the role guest to 3 people, among them 1 administrator: Ada (ada@example.com), Mel (mel@example.com) and Max (max@example.com). Go on?",
    );
    const lowered = await order("olive", "user role", { words, yes });
    expect(lowered.body.document.changed.map(({ role }: { role: string }) => role)).toEqual([
      "guest",
      "guest",
      "guest",
    ]);
    const wrong = await order("olive", "user role", { words: emails("mel", "max") });
    expect(wrong.body.msg).toBe("the last word is the role: owner, admin, moderator, member, guest");
    const owner = await order("olive", "user role", { words: [...emails("olive"), "member"] });
    expect(owner.body.msg).toContain("only organization owner");
  });
});

describe("a name that a command cannot change", () => {
  test("is told with its reason; the others are changed, and the command ends with status 1", async () => {
    for (const name of ["Ann", "Ben", "Cy"]) {
      const made = ["user", "create", "--email", `${name.toLowerCase()}@example.com`, "--name", name];
      await json(made);
    }
    await json(["user", "deactivate", "ann@example.com", "ben@example.com", "--yes"]);
    await json(["user", "update", "cy@example.com", "--name", "Ben"]);
    await json(["realm", "set", "require_unique_names", "true"]);
    // A group has no members who are deactivated.
    const byGroup = await run(["user", "reactivate", "--group", "staff", "--yes"]);
    expect(byGroup).toMatchObject({ status: 2, stderr: expect.stringContaining("--group") });
    const back = await run(["user", "reactivate", "ann@example.com", "ben@example.com", "--yes"]);
    expect(back).toEqual({
      status: 1,
      stdout: "Ann is active again.\n",
      stderr:
        "confab: 1 of 2 could not be changed: ben@example.com: This name is already in use in this organization.\n",
    });
  });
});

describe("--file", () => {
  test("has a name on each line; unknown ones are told with their lines; works from elsewhere", async () => {
    const folder = newFolder();
    const file = join(folder, "leavers.txt");
    for (const name of ["Dan", "Eva"])
      await json(["user", "create", "--email", `${name.toLowerCase()}@example.com`, "--name", name]);
    writeFileSync(file, "# who leaves\n\ndan@example.com\nnobody@example.com\r\neva@example.com\nx\n");
    const lines = await refused(["user", "deactivate", "--file", file, "--yes"], 1);
    expect(lines).toBe(
      "confab: There is no user with the address or ID 'nobody@example.com' (line 4) and 'x' (line 6). Nothing was changed.\n",
    );
    writeFileSync(file, "dan@example.com\r\neva@example.com\n");
    const asked = await refused(["user", "deactivate", "--file", file], 2);
    expect(asked).toStartWith("confab: This deactivates 2 people: ");
    expect(asked).toContain("Add --yes to confirm");
    const piped = await run(["user", "deactivate", "--file", "-", "--yes"], "dan@example.com\n");
    expect(piped).toEqual({ status: 0, stdout: "Dan is now deactivated.\n", stderr: "" });
    writeFileSync(file, "\n# nobody\n");
    expect(await refused(["user", "deactivate", "--file", file, "--yes"], 1)).toContain("names nobody");
    expect(await refused(["user", "deactivate", "--file", `${file}x`, "--yes"], 1)).toContain("no file");

    const server = await serve(founded.data);
    const env = { XDG_CONFIG_HOME: folder, HOME: folder };
    const add = ["profile", "add", "work", "--address", server.url, "--email", founded.owner.email];
    expect(await confab(add, { input: `${founded.owner.api_key}\n`, env })).toMatchObject({ status: 0 });
    writeFileSync(file, "dan@example.com\neva@example.com\n");
    const away = (...args: string[]) => confab(["--profile", "work", ...args], { env });
    const question = await away("user", "reactivate", "--file", file);
    expect(question).toMatchObject({ status: 0, stdout: "Dan is active again. 1 was so already.\n" });
    expect(await away("user", "deactivate", "--file", file, "--yes")).toMatchObject({
      status: 0,
      stdout: "2 people are now deactivated.\n",
    });
    await server.end("SIGTERM");
  });
});

describe("channel archive, channel unarchive and invite revoke", () => {
  test("take many, all or none of them known", async () => {
    const { w, order } = served();
    for (const name of ["one", "two", "three"])
      await w.as("olive").post("/channels/create", { name, subscribers: [w.user("mel").id] });
    const unknown = await order("olive", "channel archive", { channel: ["one", "four", "five"], yes });
    expect(unknown.body.msg).toBe("There is no channel named 'four' and 'five'. Nothing was changed.");
    expect(unknown.events).toEqual([]);
    const asked = await order("olive", "channel archive", { channel: ["one", "two"] });
    expect(asked.body.question).toBe(
      "This archives 2 channels with 2 subscribers: one and two. Nobody can post there afterwards; the messages stay readable. Go on?",
    );
    const done = await order("olive", "channel archive", { channel: ["one", "two"], yes });
    const names = (part: { name: string }[]) => part.map(({ name }) => name);
    expect(names(done.body.document.changed)).toEqual(["one", "two"]);
    const rest = await order("olive", "channel archive", { channel: ["two", "three"], yes });
    expect([names(rest.body.document.changed), names(rest.body.document.unchanged)]).toEqual([
      ["three"],
      ["two"],
    ]);
    const back = await order("olive", "channel unarchive", { channel: ["one", "two", "three"] });
    expect(names(back.body.document.changed)).toEqual(["one", "two", "three"]);

    const links: string[] = [];
    for (let n = 0; n < 2; n++) {
      const { body } = await w.as("olive").post("/invites/multiuse", { invite_expires_in_minutes: 60 });
      links.push(body.invite_link);
    }
    const none = await order("olive", "invite revoke", { invitation: [...links, "x@example.com"], yes });
    expect(none.body.msg).toBe("There is no open invitation for 'x@example.com'.");
    const revoked = await order("olive", "invite revoke", { invitation: links, yes });
    expect(revoked.body.document).toHaveLength(2);
  });
});
