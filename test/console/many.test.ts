// Many at once in the console: changes of marked rows, and long texts that are pasted.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { insertUser } from "@/foundation/accounts/store.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { inputReader } from "../../console/terminal/input.ts";
import { stage } from "../support/console.ts";
import { cleanUp, confab, newFolder, newOrganization } from "../support/executable.ts";
import { hasTmux, openTerminal } from "../support/tmux.ts";
import { world } from "../support/world.ts";

/** An organization with more channels than are named in a question. */
async function channels(count: number) {
  const there = world();
  for (let i = 1; i <= count; i++)
    await there.as("ada").post("/channels/create", { name: `room ${i}`, subscribers: [] });
  return there;
}

const policies = ({ events }: Awaited<ReturnType<typeof channels>>) =>
  events.flatMap(({ event }) => (event.property === "topics_policy" ? [event.value] : []));

test("a name at the end of a long list is not cut where there is room", async () => {
  const there = world();
  const plain = { role: roles.member, password_hash: null, bot_type: null, bot_owner_id: null };
  const longest = "Zeno of the longest name that anybody has here";
  await there.app.env.db.write(there.app.system, (tx) => {
    for (let i = 0; i < 700; i++)
      insertUser(tx, {
        ...plain,
        email: `many${i}@example.com`,
        full_name: i === 699 ? longest : `Person ${i}`,
      });
  });
  const { press, sees } = stage(there, "olive", { columns: 200, rows: 24 });
  await press("2");
  await sees(/Olive {2,16}olive@/);
  await press("G");
  await sees(`${longest}  many699@`);
});

describe("a form for many rows", () => {
  test("leaves out what each row has for itself", async () => {
    const there = world();
    const { press, sees, frame } = stage(there, "olive", { columns: 80, rows: 24 });
    await press("2", "*", "e");
    await sees("Edit 7 users: Olive, Ada, Moss and 4 more");
    expect(frame()).not.toMatch(/▸ +Name|Email {2}/);
    await press("save");
    await sees("Nothing was changed.");
    expect(there.events).toEqual([]);
  });

  test.each([
    ["4", "e", "Each row has its own name, description: change one at a time."],
    ["2", "p", "Each row has its own password: change one at a time."],
    ["9", "e", "Each row has its own"],
    ["0", "e", "Each row has its own"],
    ["2", "a", "This is for one row at a time: new API key."],
    ["2", "l", "This is for one row at a time: reset link."],
  ])("is refused where nothing else is in it: %s, %s", async (screen, key, said) => {
    const there = world();
    for (const name of ["red", "blue"])
      await there.as("ada").post("/user_groups/create", { name, description: "", members: [] });
    const before = there.events.length;
    const { press, sees } = stage(there, "olive");
    await press(screen, "*", key);
    await sees(said);
    expect(there.events.length).toBe(before);
  });

  test("asks with count, names and what changes, even if that is long", async () => {
    const there = await channels(5);
    const { press, sees, type, controller } = stage(there, "olive", { columns: 80, rows: 24 });
    await press("6", "*", "e", "tab", "tab", "tab");
    await type("dis");
    await press("save");
    const asked = await sees("Edit 5 channels at once: room 1, room 2, room 3 and 2 more?");
    expect(asked.replaceAll(/\s+/g, " ")).toContain("more? Topics: disable empty topic.");
    await press("n");
    expect(policies(there)).toEqual([]);
    expect(controller.state.layers.at(-1)?.kind).toBe("form");
    await press("save", "y");
    await sees("5 done: Changed the channel room 1.");
    await press("u");
    await sees("Undone: 5 done:");
    const changed = policies(there);
    expect(changed.slice(0, 5)).toEqual(Array(5).fill("disable_empty_topic"));
    expect(changed.slice(5)).toEqual(Array(5).fill("inherit"));
  });

  test("shows how far it is, stops, says how many are done, and undoes those", async () => {
    const there = await channels(8);
    const { press, sees, type, controller, frame } = stage(there, "olive");
    await press("6", "*", "e", "tab", "tab", "tab");
    await type("dis");
    const seen = new Set<string>();
    controller.watch(() => {
      const { batch } = controller.state;
      if (!batch || batch.isStopped) return;
      frame();
      // React renders what has changed in a microtask.
      queueMicrotask(() => seen.add(/\d of 8 \w+; Esc stops/.exec(frame())?.[0] ?? ""));
      if (batch.verb === "done" && batch.done === 3) controller.press("esc");
    });
    await press("save", "y");
    await sees("Stopped: 3 of 8 done.");
    expect([...seen]).toEqual(
      expect.arrayContaining(["8 of 8 checked; Esc stops", "2 of 8 done; Esc stops"]),
    );
    expect(policies(there)).toHaveLength(3);
    await press("u");
    await sees("Undone: Stopped: 3 of 8 done.");
    expect(policies(there).slice(3)).toEqual(Array(3).fill("inherit"));
  });

  test("has permissions chosen from a list, without what stood for those of each row", async () => {
    const there = await channels(2);
    const { press, sees, type, frame } = stage(there, "olive", { columns: 120 });
    await press("6", "*", "p");
    await sees("Permissions 2 channels: room 1, room 2");
    await press("\x0f");
    await sees("Nothing is chosen yet.");
    expect(frame()).not.toMatch(/● +as they are/);
    await type("nobody");
    await press(" ", "enter", "save");
    await sees("Permissions 2 channels at once: room 1, room 2?");
    expect(frame()).toContain("role:nobody");
    await press("y");
    await sees("2 done: Changed who may do what in room 1.");
    await press("u");
    await sees("Undone: 2 done:");
  });

  test("changes nothing if a text is wrong for one of the rows", async () => {
    const there = await channels(2);
    const before = there.events.length;
    const { press, sees, type } = stage(there, "olive", { columns: 120 });
    await press("T", "j", " ", "g", " ", "o", "e");
    await type("as the organization");
    await press("save", "y");
    await sees(/Nothing was changed\. \S+/);
    expect(there.events.length).toBe(before);
  });

  test("stays with what was entered if it is stopped while the rows are checked", async () => {
    const there = await channels(8);
    const { press, sees, type, controller } = stage(there, "olive");
    await press("6", "*", "e", "tab", "tab", "tab");
    await type("dis");
    controller.watch(() => {
      const { batch } = controller.state;
      if (batch?.verb === "checked" && !batch.isStopped && batch.done === 3) controller.press("esc");
    });
    await press("save", "y");
    await sees("Stopped: nothing was changed.");
    await sees("‹ disable empty topic ›");
    expect(policies(there)).toEqual([]);
  });

  test("gives each row back what it had", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive");
    await press("2", "j", " ", " ", " ", "e", "left", "save", "y");
    await sees("3 done:");
    await press("u");
    await sees("Undone: 3 done:");
    const ids = [there.user("ada"), there.user("moss"), there.user("mel")].map(({ id }) => id);
    const last = ids.map(
      (id) =>
        there.events.findLast(({ event }) => event.person?.user_id === id && "role" in event.person)?.event
          .person.role,
    );
    expect(last).toEqual([roles.admin, roles.moderator, roles.member]);
  });
});

describe("an action on many rows", () => {
  test("asks even if it destroys nothing, and counts what it does to which", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive", { columns: 80, rows: 24 });
    await press("2", "j", "j", "j", "d", "y");
    await sees("Mel is deactivated.");
    await press(" ", " ", "d");
    const asked = await sees("Reactivate 1, deactivate 1 at once: Mel, Max?");
    expect(asked.replaceAll(/\s+/g, " ")).toContain("Their access ends at once; their messages stay.");
    await press("y");
    await sees("2 done:");
  });

  test("names its rows whole, also one with a question mark", async () => {
    const there = world();
    await there.as("olive").patch(`/users/${there.user("mel").id}`, { full_name: "Who? Me" });
    const { press, sees } = stage(there, "olive", { columns: 120 });
    await press("2", "j", "j", "j", " ", " ", "d");
    const asked = await sees("Deactivate 2 at once: Who? Me, Max?");
    expect(asked.replaceAll(/\s+/g, " ")).toContain("Max? Their access ends at once; their messages stay.");
  });

  test("keeps the marks of the rows that it did not reach", async () => {
    const there = await channels(4);
    const { press, sees, controller } = stage(there, "olive");
    await press("6", "*");
    const ids = [...controller.state.positions[controller.state.at]!.marks];
    controller.watch(() => {
      const { batch } = controller.state;
      if (batch?.verb === "done" && !batch.isStopped && batch.done === 2) controller.press("esc");
    });
    await press("d", "y");
    await sees("Stopped: 2 of 4 done.");
    expect([...controller.state.positions[controller.state.at]!.marks]).toEqual(ids.slice(2));
  });
});

describe("an undo", () => {
  test("whose first step fails is offered again", async () => {
    const there = world();
    const role = (by: "ada" | "olive", of: "ada" | "olive", role: number) =>
      there.as(by).patch(`/users/${there.user(of).id}`, { role });
    const { press, sees } = stage(there, "olive");
    await press("2", "j", "j", "j", " ", " ", "d", "y");
    await sees("2 done: Mel is deactivated.");
    await role("olive", "ada", roles.owner);
    await role("ada", "olive", roles.member);
    await press("u");
    await sees("administrator");
    await role("ada", "olive", roles.owner);
    await press("u");
    await sees("Undone: 2 done: Mel is deactivated.");
    expect((await there.as("olive").get(`/users/${there.user("mel").id}`)).body.user.is_active).toBe(true);
  });
});

describe("restoring a backup", () => {
  test("is for one at a time, and says what is left out", async () => {
    const { data } = await newOrganization();
    writeFileSync(join(data, "confab.toml"), "rate_limit = 100\n");
    for (const name of ["one", "two"]) {
      const made = await confab(["backup", `${data}-${name}.tar.gz`, "--with-config", "--data", data]);
      expect(made.stderr).not.toContain("confab:");
    }
    const { press, sees, frame } = stage(world(), "olive", { dataDir: data, columns: 200 });
    await press("B", "*", "r");
    await sees("This is for one row at a time: restore. Esc unmarks.");
    await press("esc", "r", "save");
    await sees("confab restore --with-config");
    expect(frame()).toContain("Left out, because it");
    expect(frame()).toContain("machine: confab.toml.");
  });
});

describe("titles", () => {
  test("are shortened, and never vanish", async () => {
    const there = world();
    const name = "A folder with a name that is long enough for no window".padEnd(60, "!");
    await there.as("ada").post("/channel_folders/create", { name, description: "" });
    const { press, sees } = stage(there, "olive", { columns: 62, rows: 20 });
    await press("8", "e");
    await sees(/─ The folder A folder with a name that is long [^\n]*… ─*╮/);
  });
});

/** The characters that the console looks at while a text is pasted into a form and shown there. */
async function work(length: number): Promise<{ looked: number; text: string }> {
  const { press, controller } = stage(world(), "olive", { columns: 80, rows: 24 });
  await press("8", "n");
  const text = "Ünder the bridge 🙂 ".repeat(length / 20).slice(0, length);
  let looked = 0;
  const counted = <A, R>(real: (this: unknown, ...given: A[]) => R) =>
    function (this: unknown, ...given: A[]): R {
      looked += String(given[0]).length;
      return real.apply(this, given);
    };
  const { test: tested } = RegExp.prototype;
  const { segment } = Intl.Segmenter.prototype;
  const spies = [
    spyOn(RegExp.prototype, "test").mockImplementation(counted(tested) as never),
    spyOn(Intl.Segmenter.prototype, "segment").mockImplementation(counted(segment) as never),
  ];
  try {
    await press(`\x1b[200~${text}\x1b[201~`);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const top = controller.state.layers.at(-1);
  expect(top?.kind === "form" ? top.filling.fields.name?.text : "").toBe(text);
  return { looked, text };
}

describe("a long text that is pasted", () => {
  test("arrives whole, and twice as much of it is at most twice the work", async () => {
    const [once, twice] = [await work(20_000), await work(40_000)];
    expect(once.looked).toBeGreaterThan(20_000);
    expect(twice.looked / once.looked).toBeLessThan(2.2);
  });

  test("is read once, however many parts it arrives in", () => {
    const reader = inputReader();
    const text = "one two three\n".repeat(3000);
    const bytes = new TextEncoder().encode(`\x1b[200~${text}\x1b[201~j`);
    const looked = spyOn(String.prototype, "indexOf");
    const found = [];
    for (let at = 0; at < bytes.length; at += 100) found.push(...reader.push(bytes.slice(at, at + 100)));
    const length = looked.mock.contexts.reduce<number>((sum, one) => sum + String(one).length, 0);
    looked.mockRestore();
    expect(found).toEqual([
      { kind: "paste", text },
      { kind: "text", text: "j" },
    ]);
    expect(length).toBeWithin(bytes.length / 2, 2 * bytes.length);
  });
});

let organization: string;
beforeAll(async () => {
  if (!hasTmux) return;
  organization = newFolder();
  const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
  const made = await confab(["init", "--data", organization, "--org", "Crew", ...owner]);
  expect(made.status).toBe(0);
  for (const name of ["Ann", "Ben", "Cleo", "Dan"]) {
    const person = ["--email", `${name.toLowerCase()}@example.com`, "--name", name];
    expect((await confab(["user", "create", ...person, "--data", organization])).status).toBe(0);
  }
}, 300_000);
afterAll(() => cleanUp());

describe.skipIf(!hasTmux)("confab console, in tmux (skipped where there is none)", () => {
  test.each([
    [80, 24],
    [200, 50],
  ])(
    "edits many people after a question, and takes a long paste at %i×%i",
    async (columns, rows) => {
      const terminal = openTerminal(["console", "--data", newFolder(organization)], { columns, rows });
      try {
        await terminal.sees("? help");
        terminal.press("2");
        await terminal.sees(/▸ +Olive/);
        terminal.press("j", "Space", "Space", "Space", "Space");
        await terminal.sees("4 marked");
        terminal.press("e");
        const form = await terminal.sees("Edit 4 users: Ann, Ben, Cleo");
        expect(form).toMatch(/▸ Role +‹ as they are ›/);
        expect(form).not.toMatch(/As others see it|The address they log in with/);
        terminal.press("Left", "C-s");
        await terminal.sees("Edit 4 users at once: Ann, Ben, Cleo and 1 more? Role: guest.");
        terminal.press("y");
        await terminal.sees("4 done: Changed the account of Ann.");
        terminal.press("u");
        await terminal.sees("Undone: 4 done:");

        terminal.press("7", "n");
        await terminal.sees("A new message");
        terminal.press("Tab", "Tab");
        await terminal.sees("▸ Message");
        terminal.paste(`${"A line of text\n".repeat(2666)}The last.`);
        const shown = await terminal.sees("39999 of 10000.");
        expect(shown).toContain("A line of text The last.");
        terminal.press("C-c");
        await terminal.sees("left with 0");
      } finally {
        terminal.close();
      }
    },
    300_000,
  );
});
