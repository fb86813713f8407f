// The console by a profile: the screens of a server elsewhere, over HTTP, with what the person may see and do there. A terminal and a
// slow line: test/console/terminal.test.ts. All changes: test/console/nodes.test.ts.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertUser } from "@/foundation/accounts/store.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { setRunner } from "@/operations/command-line/host.ts";
import { actCommand, lookCommand, notRun } from "@/operations/command-line/schema.ts";
import { consoleAct, consoleLook } from "../../cli/commands/console-remote.ts";
import { runForRemotePerson } from "../../cli/commands/remote-runner.ts";
import { changes } from "../../console/changes.ts";
import { seeAlso } from "../../console/jumps.ts";
import type { Jump } from "../../console/screen.ts";
import { requestBy, stageElsewhere } from "../support/console.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { type CastName, type World, world } from "../support/world.ts";

function served(): World {
  const w = world();
  setRunner(w.app.env, (ctx, line) => runForRemotePerson([consoleLook, consoleAct], ctx, line));
  return w;
}

const openAs = (w: World, name: CastName, size: { columns?: number; rows?: number } = {}) =>
  stageElsewhere(requestBy(w.app, w.user(name)), size);

/** What the server answers to a console's request. */
async function ask(w: World, name: CastName, command: string, request: unknown) {
  const answer = await w.as(name).post("/command", { command, given: {}, input: JSON.stringify(request) });
  return { status: answer.status, msg: answer.body.msg as string, document: answer.body.document as Json };
}

const everywhere = { chosen: {}, scope: null };

describe("the console by a profile", () => {
  test("always shows the server; shows rows and details, changes something, and undoes it", async () => {
    const w = served();
    const { press, sees } = await openAs(w, "olive", { columns: 140, rows: 40 });
    await sees("work https://chat.example.com");
    await press("2");
    await sees("mel@example.com");
    await press("/", "mel@", "enter");
    await sees(/1 of \d+/);
    await press("e");
    await sees("The account of Mel");
    await press("right", "save");
    await sees("Changed the account of Mel.");
    await press("u");
    await sees("Undone: Changed the account of Mel.");
    const screen = await sees(/Time zone +–/);
    expect(screen).not.toContain("Backups");
    expect(screen).not.toContain("password");
    const role = w.app.env.db.all("SELECT role FROM users WHERE id = ?", w.user("mel").id);
    expect(role).toEqual([{ role: roles.member }]);
  });

  test("copies the details that are here, and of other rows the columns", async () => {
    const { press, sees, copied } = await openAs(served(), "olive", { columns: 140, rows: 40 });
    await press("2");
    await sees(/Time zone +–/);
    await press("*", "Z");
    await sees("Copied");
    const all = JSON.parse(copied[0] ?? "") as Record<string, string>[];
    expect(all[0]).toMatchObject({ Email: "olive@example.com", "Time zone": "" });
    expect(all.find(({ EMAIL }) => EMAIL === "mel@example.com")).toMatchObject({
      NAME: "Mel",
      ROLE: "member",
    });
  });

  test("shows the first rows at once, and the rest as it comes; reads only pages that changed", async () => {
    const w = served();
    const plain = { role: roles.member, password_hash: null, bot_type: null, bot_owner_id: null };
    await w.app.env.db.write(w.app.system, (tx) => {
      for (let i = 0; i < 3_000; i++)
        insertUser(tx, { ...plain, email: `many${i}@example.com`, full_name: `Person ${i}` });
    });
    const asked: Json[] = [];
    const request = requestBy(w.app, w.user("olive"));
    const { controller, press, sees } = await stageElsewhere(
      async (path, init) => {
        const answer = await request(path, init);
        if (path.endsWith("/command")) asked.push(((await answer.clone().json()) as Json).document);
        return answer;
      },
      { columns: 100 },
    );
    await press("2");
    await sees("Olive");
    await press("G");
    await sees("3007/3007");
    const pages = asked.filter(({ pages }) => pages && asked.length > 0).map(({ pages }) => pages.length);
    expect(pages.slice(0, 3)).toEqual([expect.any(Number), 1, 2]);
    await press("/", "person 2999", "enter");
    await sees(/1 of 30\d\d/);
    const before = asked.length;
    await press("e", "tab", "!", "save");
    await sees("Changed the account of Person 2999!.");
    const changed = asked.slice(before).filter(({ pages }) => pages?.length > 0);
    expect(changed.map(({ pages }) => pages.map(({ at }: Json) => at))).toEqual([[2]]);
    expect(controller.state.coming?.isWhole).toBe(true);
  });

  test("offers each person what they may see and do, and refuses the rest in the same words as what does not exist", async () => {
    const w = served();
    const titles = async (name: CastName) => {
      const { document } = await ask(w, name, lookCommand, { ask: "screens" });
      return document.screens.map(({ title }: Json) => title) as string[];
    };
    const all = await titles("olive");
    expect(all).toContain("Log");
    expect(all).not.toContain("Backups");
    expect(await titles("ada")).toEqual(all);
    const mels = await titles("mel");
    for (const title of ["Overview", "Log", "Audit log", "Doctor", "Exports", "Mail", "Reports"])
      expect(mels).not.toContain(title);
    for (const title of ["Users", "Channels", "Messages", "Settings"]) expect(mels).toContain(title);
    const offered = "This server does not offer you this on its screens.";
    const users = { ...everywhere, screen: "Users", id: w.user("max").id };
    for (const name of ["mel", "moss", "gus", "bolt"] as const)
      for (const request of [
        { ask: "form", ...users, of: "edit" },
        { ask: "form", ...users, of: "create" },
        { ask: "form", ...users, of: { row: 0 } },
        { ask: "form", ...users, of: { row: 99 } },
        { ask: "details", ...everywhere, screen: "Log", id: 1 },
        { ask: "details", ...everywhere, screen: "Nothing", id: 1 },
      ])
        expect({ name, request, ...(await ask(w, name, lookCommand, request)) }).toMatchObject({
          status: 400,
          msg: offered,
        });
    for (const of of [{ row: 0 }, { row: 1 }, { row: 4 }, { row: 5 }, { row: 6 }])
      expect(await ask(w, "mel", actCommand, { act: "run", ...users, of })).toMatchObject({
        status: 400,
        msg: offered,
      });
    const stage = await openAs(w, "mel");
    await stage.sees("You are a member there");
  });

  test("offers only places that are there, to an owner, a moderator, a member and a bot", async () => {
    const w = served();
    const { body: sent } = await w
      .as("max")
      .post("/messages", { type: "direct", to: JSON.stringify([w.user("mel").id]), content: "Buy pills" });
    await w.as("mel").post(`/messages/${sent.id}/report`, { report_type: "spam" });
    const found: Record<string, string[]> = {};
    for (const name of ["olive", "moss", "mel", "bolt"] as const) {
      const { controller } = await openAs(w, name);
      const titles = controller.state.screens.map(({ title }) => title);
      const led: (Jump | null)[] = [];
      for (const one of controller.state.screens) {
        const { session } = controller;
        const rows = await until(
          () => (one.progress?.(session, null).isWhole !== false ? one.rows(session, null) : null),
          `the rows of ${one.title} for ${name}`,
        );
        for (const row of rows.slice(0, 1)) {
          const leads = one.leads?.(row) ?? null;
          const texts = one.columns.map(({ value }) => value(row));
          const named = texts.flatMap((text) => (text.startsWith("→ ") ? [text.slice(2)] : []));
          expect({ name, screen: one.title, named }).toEqual({
            name,
            screen: one.title,
            named: leads ? named : [],
          });
          const facts = await until(() => {
            const some = one.facts?.(session, row) ?? [];
            return some.some(([, value]) => value === "Reading …") ? null : some;
          }, `the details of ${one.title} for ${name}`);
          for (const [label, value, to] of facts)
            expect({
              name,
              screen: one.title,
              value,
              isPlace: label !== seeAlso || to != null,
            }).toMatchObject({
              isPlace: true,
            });
          led.push(leads, ...facts.map(([, , to]) => to ?? null));
        }
        for (const { opens } of one.rowActions ?? []) if (opens !== undefined) led.push({ to: opens });
      }
      found[name] = [...new Set(led.flatMap((jump) => jump?.to ?? []))].sort();
      expect(titles).toEqual(expect.arrayContaining(found[name]));
    }
    expect(found.olive).toContain("Sessions");
    expect(found.olive).toContain("Audit log");
    expect(found.olive).not.toContain("Backups");
    for (const name of ["moss", "mel", "bolt"]) expect(found[name]).not.toContain("Audit log");
    expect(found.mel).toContain("Messages");
  });

  test("makes no change that the person may not make, and none that only the operator makes", async () => {
    const w = served();
    const max = w.user("max").id;
    const inputs: Record<string, unknown> = {
      setPassword: { user_id: max, password: "correct horse battery staple" },
      rotateKey: max,
      makeResetLink: max,
    };
    for (const [change, input] of Object.entries(inputs))
      for (const name of ["olive", "ada"] as const)
        expect(await ask(w, name, actCommand, { act: "undo", changes: [{ change, input }] })).toMatchObject({
          status: 400,
          msg: expect.stringContaining("Only the operator may do this"),
        });
    expect(changes.has("deactivateUser")).toBe(true);
    for (const name of ["mel", "moss", "gus", "bolt"] as const)
      expect(
        (await ask(w, name, actCommand, { act: "undo", changes: [{ change: "deactivateUser", input: max }] }))
          .status,
      ).toBe(400);
    for (const wrong of [
      {},
      { act: "undo", changes: [{ change: "noSuchChange", input: 1 }] },
      { act: "run" },
    ])
      expect((await ask(w, "olive", actCommand, wrong)).status).toBe(400);
    expect(
      (await w.as("olive").post("/command", { command: lookCommand, given: {}, input: "{" })).status,
    ).toBe(400);
    expect(w.app.env.db.all("SELECT id FROM users WHERE id = ? AND is_active = 1", max)).toHaveLength(1);
  });

  test("says what an event names, which only the console has", async () => {
    const w = served();
    const { press, sees } = await openAs(w, "olive", { columns: 140 });
    await press("E");
    await sees("Listening.");
    await w.as("ada").patch(`/users/${w.user("mel").id}`, { full_name: "Mel Melon" });
    await sees("realm_user/update");
    await press("enter");
    await sees(/Event +realm_user\/update/);
  });

  test("reads a picture of this machine, and never a file that a person elsewhere names", async () => {
    const w = served();
    const folder = mkdtempSync(join(tmpdir(), "console-remote-"));
    const secret = join(folder, "secret.png");
    writeFileSync(secret, "secret");
    const emoji = { ...everywhere, screen: "Emoji, pictures", id: null, of: "create" };
    const texts = { name: "party", file: secret };
    expect(await ask(w, "olive", actCommand, { act: "submit", ...emoji, texts })).toMatchObject({
      status: 400,
      msg: expect.stringContaining("without the file"),
    });
    const { press, sees } = await openAs(w, "olive", { columns: 140 });
    await press("I");
    await sees("Icon");
    await press("n", "party", "tab", join(folder, "none.png"), "save");
    await sees("There is no file");
    rmSync(folder, { recursive: true });
  });

  test("keeps what is shown and what was typed while the server is away, says since when, and goes on", async () => {
    const w = served();
    let isAway = false;
    const request = requestBy(w.app, w.user("olive"));
    const { press, sees } = await stageElsewhere(
      async (path, init) => {
        if (!isAway) return request(path, init);
        throw Object.assign(new Error("Unable to connect."), { code: "ConnectionRefused" });
      },
      { columns: 140 },
    );
    await press("8");
    await sees("There are no folders.");
    await press("n");
    await sees("A new channel folder");
    await press("Projects");
    isAway = true;
    await press("save");
    await sees(/Nothing was changed: the server/);
    await press("esc", "n");
    await sees(/^ +The server at .* cannot be reached\./m);
    await press("2");
    await sees(/no answer since \d\d:\d\d/);
    isAway = false;
    await sees("mel@example.com");
    await sees("● work https://chat.example.com");
  });

  test("says what is wrong with a server that it cannot use", async () => {
    const answers: [body: Json, status: number, said: string][] = [
      [{ result: "error", code: "BAD_REQUEST", msg: notRun(lookCommand) }, 400, "is an older Confab"],
      [{ result: "error", code: "UNAUTHORIZED", msg: "Invalid API key" }, 401, "does not accept your key"],
      [{ result: "success", document: { screens: 7 } }, 200, "of another version"],
      [{ result: "error", code: "SERVER_NOT_READY", msg: "Later." }, 503, "is not ready"],
    ];
    for (const [body, status, said] of answers)
      await expect(stageElsewhere(async () => Response.json(body, { status }))).rejects.toThrow(said);
    await expect(stageElsewhere(async () => new Response("<html>"))).rejects.toThrow("no Confab server");
  });
});
