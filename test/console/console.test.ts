// The console's parts, without a terminal: what is shown, what keys do, and permissions.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createElement } from "react";
import { z } from "zod";
import { changeRole, deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { isPrintable, nameOf } from "@/foundation/realm/texts.ts";
import { choicesOf, readText, ruleText } from "@/kernel/http/rule-words.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import { sampleFields } from "@/operations/metrics/schema.ts";
import { plot } from "../../console/chart.ts";
import { shadeOf, type Theme, themeFor } from "../../console/components/theme.ts";
import { Lines } from "../../console/components/words.tsx";
import { commandOf } from "../../console/controller/keys.ts";
import { valuesOf } from "../../console/history.ts";
import {
  cell,
  chop,
  cut,
  fit,
  fitColumns,
  type Line,
  line,
  type Segment,
  widthOf,
  wrap,
} from "../../console/layout.ts";
import { readMetrics, slowestRequests } from "../../console/metrics.ts";
import { screensFor } from "../../console/screens.ts";
import { serverLink } from "../../console/server-link.ts";
import { openSources } from "../../console/source.ts";
import {
  styledCharsFromTokens,
  styledCharsToString,
  tokenize,
} from "../../console/terminal/ansi-tokenize/cells.ts";
import { type Input, inputReader } from "../../console/terminal/input.ts";
import { pacer, paintChanges, rowsOf } from "../../console/terminal/painter.ts";
import { openScreen } from "../../console/terminal/screen.tsx";
import { stage, textOf } from "../support/console.ts";
import { runJob } from "../support/jobs.ts";
import { until } from "../support/waiting.ts";
import { type CastName, world } from "../support/world.ts";

const clickOn = ([x, y]: readonly [number, number]) => [
  `\x1b[<0;${x + 1};${y + 1}M`,
  `\x1b[<0;${x + 1};${y + 1}m`,
];

describe("lists", () => {
  test("show rows, filter them while typing, and keep the selection", async () => {
    const { press, type, sees, frame } = stage(world(), "olive");
    await press("2");
    await sees(/▸ +Olive/);
    await press("j", "j");
    await sees(/▸ +Moss/);
    await press("/");
    await type("mo");
    const found = await sees("1 of 7");
    expect(found).toMatch(/▸ +Moss/);
    expect(found).not.toContain("Gus");
    await type(" !moss");
    await sees("0 of 7");
    for (const _ of "mo !moss") await press("backspace");
    await type("! !mo");
    expect(await sees("6 of 7")).not.toContain("Moss");
    for (const _ of "! !mo") await press("backspace");
    await type("mo");
    await press("enter", "esc");
    await sees(/▸ +Moss/);
    expect(frame()).toContain("Gus");
  });

  test("count members of subgroups as members of a group", async () => {
    const { press, sees } = stage(world(), "olive");
    await press("4");
    await sees(/role:everyone +system +[3-9] /);
    await press("j", "enter");
    await sees(/Members \([3-9]\) +.*Mel/);
  });

  test("follow changes by others", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive");
    await press("8");
    await sees("There are no folders.");
    await there.as("ada").post("/channel_folders/create", { name: "Support", description: "" });
    await sees(/▸ +Support/);
  });

  test("say why a user cannot see them", async () => {
    const { press, sees } = stage(world(), "mel");
    await press("A");
    await sees("Must be an organization administrator");
  });

  test("show no control characters of user content", async () => {
    const there = world();
    const description = "so \u001b[31mred";
    await there.as("ada").post("/channel_folders/create", { name: "Red", description });
    const { press, sees, frame } = stage(there, "olive");
    await press("8");
    await sees("so  [31mred");
    expect(frame()).not.toContain("\u001b[31m");
  });
});

describe("moving about", () => {
  test("finds people, channels, settings, screens and commands by name", async () => {
    const there = world();
    await there.as("ada").post("/channels/create", { name: "design", subscribers: [] });
    const { press, type, sees } = stage(there, "olive");
    await press(":");
    await type("max");
    await sees(/▸ person +Max/);
    await press("enter");
    await sees(/Users › Max/);
    await press(":");
    await type("desig");
    await press("enter");
    await sees(/Channels › design/);
    await press(":");
    await type("name of the organization");
    await sees(/▸ setting/);
    await press("esc", ":");
    await type("new group");
    await press("enter");
    await sees("A new user group");
    await press("esc", ":");
    await type("no such thing");
    await sees("Nothing has such a name.");
    await press("enter", "esc");
    await sees(/Groups {2}\d/);
  });

  test("leads back step by step, and leaves only when asked", async () => {
    const { press, type, sees, controller } = stage(world(), "olive");
    await press("2", "enter", "6", ":");
    await type("mel");
    await press("enter");
    await sees(/Channels › Users › Mel/);
    await press("esc", "esc");
    await sees("There are no channels.");
    await press("esc", "esc", "esc", "esc");
    await sees("Press q to leave the console.");
    expect(controller.state.isOver).toBe(false);
    await press("q");
    await sees("Leave the console?");
    await press("n");
    expect(controller.state.isOver).toBe(false);
    await press("q", "y");
    expect(controller.state.isOver).toBe(true);
  });

  test("leads from an entry to what it names, and back to the filtered list", async () => {
    const there = world();
    await there.as("ada").post("/channels/create", { name: "design", subscribers: [] });
    const { press, type, sees, controller, find } = stage(there, "olive");
    await press("2", "/", "max", "enter", "A", "/");
    await type("created design");
    await press("enter", "enter");
    expect(await sees("Audit log › Channel created")).toContain("to users");
    await press("enter");
    await sees(/Audit log › Users › Ada/);
    await press("esc", "esc", "right");
    expect(await sees("Audit log › Channel created")).toContain("to channels");
    await press("enter");
    await sees(/Audit log › Channels › design/);
    await press("left");
    await sees("to audit log");
    await press("enter");
    await sees("Showing entries about design.");
    await press("esc", "esc", "esc");
    await sees("to channels");
    await press(...clickOn(find({ kind: "link", index: 0 })));
    await sees(/Users › Ada/);
    await press("2");
    expect(await sees(/▸ +Max/)).toContain("1 of 7");
    expect(controller.state.trail).toEqual([]);
  });

  test("leads from a report to its message among its neighbours, and from there to its sender", async () => {
    const there = world();
    const { as, user } = there;
    await as("ada").post("/channels/create", {
      name: "design",
      subscribers: (["mel", "max", "olive"] as const).map((one) => user(one).id),
    });
    const private_ = { name: "moderation", invite_only: true, subscribers: [user("ada").id] };
    const { id: moderation } = (await as("ada").post("/channels/create", private_)).body;
    await as("ada").patch("/realm", { moderation_request_channel_id: moderation });
    const send = async (content: string) =>
      (await as("mel").post("/messages", { type: "stream", to: "design", topic: "pens", content })).body.id;
    await send("Before");
    const id = await send("Buy pills, now");
    await send("After");
    await as("max").post(`/messages/${id}/report`, { report_type: "spam", description: "Again" });
    const { press, sees } = stage(there, "olive");
    await press("R", "enter", "right", "enter");
    await sees(/Reports › Messages of design › Mel: Buy pills/);
    await sees("Buy pills, now");
    await press("enter");
    await sees(/Messages of design › Users › Mel/);
    await press("esc", "esc", "esc");
    const list = await sees("Around the message that led here.");
    expect(list).toMatch(/After[\s\S]*▸ .*Buy pills[\s\S]*Before/);
    await press("esc");
    await sees(/Reports › /);
  });

  test("changes screens by digits in details too", async () => {
    const { press, sees } = stage(world(), "olive");
    await press("2", "enter", "6");
    await sees("There are no channels.");
  });

  test("orders by any column, and back", async () => {
    const { press, sees } = stage(world(), "olive", { columns: 80 });
    await press("2", "o");
    await sees(/NAME▴[\s\S]*Ada[\s\S]*Olive/);
    await press("O");
    await sees(/NAME▾[\s\S]*Olive[\s\S]*Ada/);
    await press("o");
    await sees(/EMAIL▴/);
  });

  test("does one action for all marked rows, and undoes it for all", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive");
    await press("2", "*");
    await sees("7 marked");
    await press("esc", "j", "j", "j", " ", " ");
    await sees("2 marked");
    await press("d");
    await sees("Deactivate 2 at once: Mel, Max?");
    await press("y");
    await sees("2 done: Mel is deactivated.");
    await press("u");
    await sees("Undone: 2 done:");
    const ids = [there.user("mel").id, there.user("max").id];
    const changes = there.events.filter(({ event }) => ids.includes(event.person?.user_id));
    expect(changes.map(({ event }) => event.person.is_active)).toEqual([false, false, true, true]);
  });

  test("changes all marked rows by one form, and says how many it changed", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive");
    await press("2", "j", "j", "j", " ", " ", "e");
    await sees("Edit 2 users: Mel, Max");
    await press("left", "save");
    await sees("Edit 2 users at once: Mel, Max? Role: guest.");
    await press("y");
    await sees("2 done: Changed the account of Mel.");
    const changed = there.events.filter(({ event }) => event.person?.role !== undefined);
    // Mel becomes a guest, so Mel's bot does, too.
    const ids = [there.user("mel"), there.user("bolt"), there.user("max")].map(({ id }) => id);
    expect(changed.map(({ event }) => event.person.user_id)).toEqual(ids);
    expect(changed.map(({ event }) => event.person.role)).toEqual([roles.guest, roles.guest, roles.guest]);
    await press("u");
    await sees("Undone: 2 done:");
    await press("g", " ", "j", " ", "d", "y");
    await sees("The owner permission cannot be removed from the only organization owner.");
  });

  test("shows the list next to the details where the window is wide", async () => {
    const { press, sees } = stage(world(), "olive", { columns: 160, rows: 50 });
    await press("2", "/", "mel", "enter");
    await sees(/╭─ Mel ─[\s\S]*▸ +Mel .*member/);
    await press("tab", "tab");
    await sees(/▸ +Mel/);
  });

  test("selects, opens, orders and scrolls by the mouse", async () => {
    const { press, sees, controller, find } = stage(world(), "olive");
    const click = (x: number, y: number) => press(...clickOn([x, y]));
    await click(...find({ kind: "screen", at: 1 }));
    await sees(/Users {2}\d/);
    await click(...find({ kind: "row", index: 2 }));
    await sees(/▸ +Moss/);
    await click(...find({ kind: "row", index: 2 }));
    await sees(/Users › Moss/);
    await press("esc");
    await click(...find({ kind: "column", index: 0 }));
    await sees("NAME▴");
    await press("g", `\x1b[<65;40;10M`);
    expect(controller.state.positions[1]?.index).toBe(3);
    await click(...find({ kind: "key", key: "n" }));
    await sees("A new person");
    await click(...find({ kind: "field", index: 2 }));
    await sees("▸ Role");
  });

  test("copies a row's ID, address or name", async () => {
    const { press, sees, copied } = stage(world(), "olive");
    await press("2", "/", "mel", "enter", "y");
    await sees("Copied: mel@");
    expect(copied).toEqual([expect.stringMatching(/^mel@/)]);
  });
});

describe("rows", () => {
  test("are copied as text and JSON, one or all that are marked, and opened in the browser", async () => {
    const there = world();
    const { press, sees, copied } = stage(there, "olive");
    const { id } = there.user("mel");
    await press("2", "/", "mel", "enter", "Y");
    await sees("Copied 1 row.");
    await press("Z", "V");
    await sees(`Copied: ${there.app.env.site}/#user/${id}`);
    await press("esc", "/", "m", "enter", "*", "Y");
    await sees(/Copied \d rows/);
    expect(copied[0]).toMatch(/^Mel\tmel@example.com\tmember\tactive\t\d{4}-\d\d-\d\d$/);
    expect(JSON.parse(copied[1] ?? "")).toMatchObject({ Name: "Mel", ID: String(id), Role: "member" });
    expect(copied[1]).not.toContain("See also");
    expect(copied[3]).toMatch(/^NAME\tEMAIL\tROLE\tSTATE\tJOINED\n(.+\n)*Max\t/);
    await press("esc", "esc", "8");
    const description = "x".repeat(1_024);
    for (let i = 0; i < 70; i++)
      await there.as("ada").post("/channel_folders/create", { name: `Folder ${i}`, description });
    await sees(/Folders +70/);
    await press("*", "Z");
    await sees(/Nothing was copied: a terminal's clipboard takes 70.0 KB, and this has \d\d.\d KB\./);
    expect(copied.length).toBe(4);
    const other = stage(there, "olive", { hasBrowser: true });
    await other.press("2", "V");
    await other.sees("Opened http");
    expect([other.copied, other.opened.length]).toEqual([[], 1]);
  });

  test("show the columns that are chosen, also when one comes back", async () => {
    const { press, sees, frame, copied } = stage(world(), "olive");
    await press("2", "c");
    await sees(/● column +ROLE/);
    await press("role", " ", "enter");
    await sees("NAME, EMAIL, STATE, JOINED");
    await press("enter");
    await sees("Hidden: ROLE.");
    await press("3", "2");
    expect(frame()).toMatch(/NAME +EMAIL +STATE/);
    await press("Y");
    expect(copied[0]).toMatch(/^\w+\t\S+\tactive\t[\d-]+$/);
  });

  test("that are new or changed have a dot until the next key", async () => {
    const there = world();
    const name = (one: string) => ({ name: one, description: "" });
    await there.as("ada").post("/channel_folders/create", name("Support"));
    const { press, sees, frame } = stage(there, "olive");
    await press("8");
    await there.as("ada").post("/channel_folders/create", name("Sales"));
    await sees(/• +Sales/);
    expect(frame()).not.toMatch(/•.*Support/);
    await press("j");
    expect(frame()).not.toContain("•");
  });

  test("have none for what changes all the time, such as how often a request was made", async () => {
    const there = world();
    const adds = (name: string) => there.as("ada").post("/channel_folders/create", { name, description: "" });
    await adds("Sales");
    const { press, sees, controller } = stage(there, "olive", { isServed: true });
    const counted = (count: number) => new RegExp(`create-channel-folder +${count} `);
    await press("N");
    await sees(counted(1));
    await press("j");
    await adds("Support");
    await sees(counted(2));
    expect(controller.state.changed).not.toContain("create-channel-folder");
  });
});

describe("a member who is no administrator", () => {
  test("is told that the server refuses, although it runs", async () => {
    const { sees } = stage(world(), "mel", { isServed: true });
    await sees("○ no administrator");
    await sees("Must be an organization moderator");
  });
});

describe("the terminal", () => {
  const at = { columns: 30, rows: 4 };
  const dark: Theme = { shade: "dark", depth: 24 };
  /** The frame of these lines, as Ink makes it. */
  function frameOf(lines: readonly Line[], theme = dark): string {
    let drawn = "";
    const screen = openScreen(
      () => at,
      (frame) => {
        drawn = frame;
      },
    );
    screen.show(theme, createElement(Lines, { lines }));
    screen.close();
    return drawn;
  }
  const rows = (lines: readonly Line[]) => rowsOf(frameOf(lines));

  test("gets only changes, with cursor positions after characters of uncertain width", () => {
    const before = [line("one"), line("two")].map((one) => fit(one, at.columns));
    const after = [line("one"), line("six")].map((one) => fit(one, at.columns));
    expect(paintChanges(rows(before), rows(before), at.columns)).toBe("");
    expect(paintChanges(rows(before), rows(after), at.columns)).toContain("six");
    expect(paintChanges(rows(before), rows(after), at.columns)).not.toContain("one");
    expect(paintChanges(rows(before), rows([line("on"), line("two")]), at.columns)).toContain(
      "\x1b[1;3H\x1b[K",
    );
    const hindi = [fit([{ text: "हिन्दी" }, { text: "│" }], at.columns)];
    expect(paintChanges([], rows(hindi), at.columns)).toContain("हिन्दी\x1b[6G│");
  });

  test("wraps a long link itself, so that it can be selected as a whole", () => {
    const link = `https://example.com/${"x".repeat(50)}`;
    const shown = rows(chop(link, at.columns).map((one) => line(one, "link")));
    expect(paintChanges([], shown, at.columns)).toContain(link);
    expect(paintChanges(shown, shown, at.columns)).toBe("");
    const plain = rows(chop(link, at.columns).map((one) => line(one, "accent")));
    expect(paintChanges([], plain, at.columns)).not.toContain(link);
  });

  test("shows what was laid out, in every script and style", () => {
    const lines: Line[] = [
      fit(
        [
          { text: " plain ", back: "bar" },
          { text: "accent", tone: "accent" },
        ],
        at.columns,
      ),
      fit([{ text: "हिन्दी 日本語 한국어 🎉 é", tone: "title", back: "selected" }, { text: "│" }], at.columns),
      fit([{ text: "العربية" }, { text: "x", cursor: true }, { text: "⣿⡇▁█", tone: "good" }], at.columns),
      fit([{ text: "தமிழ் क्षत्रिय" }, { text: "│", tone: "bad" }], at.columns),
    ];
    expect(textOf(frameOf(lines))).toBe(
      lines
        .map((one) =>
          one
            .map(({ text }) => text)
            .join("")
            .trimEnd(),
        )
        .join("\n"),
    );
    const [bar, title, cursor, bad] = rows(lines);
    const lookAt = (row: typeof bar, text: string) => row?.find((piece) => piece.text.includes(text))?.look;
    expect(lookAt(bar, "plain")).toBe("48;2;27;33;48");
    expect(lookAt(bar, "accent")).toBe("38;2;114;193;255");
    expect(lookAt(title, "日本語")?.split(";").sort()).toEqual(
      "1;38;2;243;245;250;48;2;42;56;86".split(";").sort(),
    );
    expect(lookAt(cursor, "x")).toBe("7");
    expect(lookAt(bad, "│")).toBe("38;2;255;122;133");
  });

  test("gets as many colours as it shows, and none if there are none", () => {
    const look = (theme: Theme, one: Segment) => rowsOf(frameOf([[one]], theme))[0]?.[0]?.look ?? "";
    const good: Segment = { text: "good", tone: "good" };
    expect(look(dark, good)).toBe("38;2;125;212;146");
    expect(look({ ...dark, depth: 8 }, good)).toBe("38;5;114");
    expect(look({ ...dark, depth: 4 }, good)).toBe("32");
    expect(look({ ...dark, depth: 0 }, good)).toBe("");
    expect(look({ ...dark, depth: 0 }, { text: "row", back: "selected" })).toBe("7");
    expect(look({ ...dark, depth: 0 }, { text: "row", tone: "faint" })).toBe("2");
    expect(look({ shade: "light", depth: 4 }, { text: "row", back: "marked" })).toBe("45");
  });

  test("has Ink take styled text apart by graphemes, and put it together as it was", () => {
    const text = "a\x1b[1;38;2;1;2;3me\u0301\x1b[22m日\x1b[0m👩‍👧\x1b[7m\n\x1b[27mz";
    const cells = tokenize(text);
    expect(cells.map(({ value, styles }) => [value, ...styles])).toEqual([
      ["a"],
      ["e\u0301", "1;38;2;1;2;3"],
      ["日", "38;2;1;2;3"],
      ["👩‍👧"],
      ["\n", "7"],
      ["z"],
    ]);
    const written = styledCharsToString(styledCharsFromTokens(cells));
    expect(Bun.stripANSI(written)).toBe(Bun.stripANSI(text));
    expect(tokenize(written)).toEqual(cells);
    expect(styledCharsToString(tokenize(written))).toBe(written);
    expect(tokenize("")).toEqual([]);
    const hostile = "\x1b]0;title\x07\x1b[31mred\x1b[0m\x1b7\x1b[2Jx\x1b";
    for (const one of [tokenize(hostile), rowsOf(hostile)])
      expect(JSON.stringify(one)).not.toContain("\\u001b");
    expect(rowsOf(hostile)[0]).toContainEqual({ text: "red", look: "31" });
  });

  test("gets at most a fixed number of bytes a second", () => {
    let now = 0;
    const pace = pacer(50_000, 10_000, () => now);
    expect(pace.wait(9000)).toBe(0);
    pace.wrote(9000);
    expect([pace.wait(1000), pace.wait(2000)]).toEqual([0, 20]);
    expect(pace.wait(100_000)).toBe(180);
    now = 180;
    expect(pace.wait(100_000)).toBe(0);
    pace.wrote(100_000);
    now = 1180;
    expect(pace.wait(1000)).toBe(820);
  });

  test.each([
    [{ NO_COLOR: "1", COLORTERM: "truecolor" }, 0, "dark"],
    [{ TERM: "xterm", COLORFGBG: "0;15" }, 4, "light"],
    [{ TERM: "screen-256color" }, 8, "dark"],
    [{ TERM: "xterm", COLORTERM: "truecolor" }, 24, "dark"],
  ] as const)("shows as many colours as it supports: %o", (env, depth, shade) => {
    expect(themeFor(env)).toEqual({ depth, shade });
    const [[piece] = []] = rowsOf(frameOf([line("x", "accent")], { depth, shade }));
    const kinds = { 0: /^1$/, 4: /^3\d$/, 8: /^38;5;/, 24: /^38;2;/ };
    expect(piece?.look).toMatch(kinds[depth]);
  });

  test("reads keys, text, pastes, the mouse and the background, however the input is split", () => {
    const sent =
      "aé\x1b[A\x1bOB\x1b[5~\x1b[Z\r\x10\x1b[200~x\ny\x1b[201~\x1b[<64;3;4M\x1b]11;rgb:ffff/ffff/0000\x1b\\\x1b[1;5C";
    const wanted: Input[] = [
      { kind: "text", text: "aé" },
      ...["up", "down", "pageup", "shift+tab", "enter", "ctrl+p"].map(
        (name): Input => ({ kind: "key", name }),
      ),
      { kind: "paste", text: "x\ny" },
      { kind: "mouse", action: "up", x: 2, y: 3 },
      { kind: "background", colour: [1, 1, 0] },
      { kind: "key", name: "right" },
    ];
    expect(inputReader().push(new TextEncoder().encode(sent))).toEqual(wanted);
    const reader = inputReader();
    const cut = [...new TextEncoder().encode(sent)].flatMap((byte) => reader.push(Uint8Array.of(byte)));
    expect(cut.filter(({ kind }) => kind !== "text")).toEqual(wanted.slice(1));
    reader.push(new TextEncoder().encode("\x1b"));
    expect([reader.isWaiting, reader.flush()]).toEqual([true, [{ kind: "key", name: "esc" }]]);
  });

  test("tells light backgrounds from dark ones", () => {
    expect([shadeOf([1, 1, 0.9]), shadeOf([0.1, 0.1, 0.2])]).toEqual(["light", "dark"]);
  });
});

describe("the overview", () => {
  test("draws the server's measurements, over three ranges", async () => {
    const there = world();
    const send = () =>
      there.as("mel").post("/messages", { type: "direct", to: [there.user("max").id], content: "Hello" });
    for (let i = 0; i < 14; i++) {
      if (i > 6) await send();
      there.clock.advance(5);
      await runJob(there, "sample-metrics");
    }
    const { press, sees } = stage(there, "olive", { isServed: true, columns: 160, rows: 50 });
    await sees(/Messages a minute 12 /);
    const shown = await sees(/Sends, p99 and p50 [\d.]+ ms \/ [\d.]+ ms/);
    expect(shown).toMatch(/[\u2801-\u28ff]{4}/);
    expect(shown).toMatch(/Memory [\d.]+ MB/);
    await press("t");
    await sees("The charts show 1 h.");
    await press("t", "t");
    await sees("The charts show 5 min.");
  });

  test("lists what needs attention, and opens it", async () => {
    const there = world();
    const findings: Finding[] = [
      { check: "Certificate", verdict: "warning", finding: "It expires in 9 days.", remedy: "Renew it." },
      { check: "Clock", verdict: "well", finding: "Right." },
    ];
    const { press, sees, frame } = stage(there, "olive", { findings, columns: 80, rows: 24 });
    await sees(/Certificate +It expires/);
    await sees(/Backup +No backup has been made yet/);
    expect(frame()).not.toContain("Clock");
    await press("g", "enter");
    await sees(/Doctor › Certificate/);
    await sees(/Remedy +Renew it\./);
    await press("esc", "esc");
    await sees("NEEDS ATTENTION");
  });

  test("says if no server runs", async () => {
    const { sees } = stage(world(), "olive");
    await sees("No server runs on this data folder.");
  });
});

describe("charts", () => {
  test("draw areas to scale, two points by four a character", () => {
    const text = (values: (number | null)[], most: number) =>
      plot([{ values, tone: "good" }], { width: 2, height: 2, most }).map((one) =>
        one.map((part) => part.text).join(""),
      );
    expect(text([0, 8, 4, null], 8)).toEqual(["⢸ ", "⢸⡇"]);
    expect(text([null, null, 0, 0], 8)).toEqual(["  ", " ⣀"]);
  });

  test("count by the minute, keep peaks, and leave out what was not measured", () => {
    const sample = (at: number, messages: number, p99: number) =>
      sampleFields.map((field) => ({ at, messages, send_p99: p99 })[field as "at"] ?? 0);
    const recent = [sample(1005, 1, 10), sample(1010, 2, 30), sample(1015, 3, 20)];
    const history = { fields: [...sampleFields], recent, minutes: [] };
    const wish = { range: "5 min", now: 1015, points: 10 } as const;
    expect(valuesOf(history, { ...wish, field: "messages" }).slice(-2)).toEqual([null, 24]);
    expect(valuesOf(history, { ...wish, field: "send_p99" }).at(-1)).toBe(30);
  });
});

describe("what is pasted", () => {
  test("goes only into fields, and is not taken as commands", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive");
    const paste = (text: string) => press(`\x1b[200~${text}\x1b[201~`);
    await press("2", "j");
    await paste("d\ny\nA");
    await sees("There is no field to paste into.");
    await sees(/▸ +Ada .*active/);
    expect(there.events).toEqual([]);

    await press("/");
    await paste("zz\ny");
    await sees("/zz y");
    await press("esc", "8", "n");
    await paste("Sup\nport");
    await press("save");
    await sees("Created the folder Sup port.");
    // Texts that read like the names of keys.
    await press("n");
    for (const word of ["end", "tab", "esc", "ctrl+c"]) await paste(word);
    await press("save");
    await sees("Created the folder endtabescctrl+c.");
  });
});

describe("the window", () => {
  test("ignores keys while it is too small", async () => {
    const there = world();
    const { press, sees, controller } = stage(there, "olive", { columns: 40, rows: 12 });
    await sees("with Ctrl+C");
    await press("2", "j", "d", "y");
    expect([controller.state.at, there.events]).toEqual([0, []]);
    await press("\x03");
    expect(controller.state.isOver).toBe(true);
  });

  test("leaves out years and descriptions where names need the room, and never cuts times", async () => {
    const there = world();
    const name = "Customers and their many questions";
    const description = "What is long ".repeat(20);
    await there.as("ada").post("/channel_folders/create", { name, description });
    const { press, sees } = stage(there, "olive", { columns: 80, rows: 24 });
    await press("A");
    await sees(/▸ +\d\d-\d\d \d\d:\d\d +Ada +Folder created +Customers an[^│]*…/);
    await press("enter");
    await sees(/When +\d{4}-\d\d-\d\d/);
    await press("8");
    await sees(/Customers and their many questions +active/);
    await press("enter");
    await sees(/Confab {2}Folders › Customers and their [^\n]*… /);
    const wide = stage(there, "olive", { columns: 200, rows: 24 });
    await wide.press("A");
    await wide.sees(/▸ +\d{4}-\d\d-\d\d \d\d:\d\d +Ada +Folder created +Customers and their many questions /);
    await wide.press("8");
    await wide.sees(/questions +active +What is long What/);
  });
});

describe("settings", () => {
  test("are shown and chosen in words, with their default", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive", { columns: 160, rows: 50 });
    await press("9", "/");
    await type("how long a message may be edited");
    await press("enter");
    await sees(/Changing messages +How long a message may be edited +10 minutes/);
    await sees(/Default +10 minutes/);
    await press("e", "\x15");
    await type("2 hours");
    await press("save");
    await sees("Changed message_content_edit_limit_seconds.");
    expect(there.events.at(-1)?.event).toMatchObject({ data: { message_content_edit_limit_seconds: 7200 } });
    await press("esc", "/");
    await type("kind of organization");
    await press("enter", "e");
    await sees("‹ Unspecified ›");
    await press("right", "save");
    expect(there.events.at(-1)?.event).toMatchObject({ value: 10 });
    await press("0", "/");
    await type("name the organization in subjects");
    await press("enter");
    await sees(/Name the organization in subjects +Automatically/);
    await press("esc", "/");
    await type("theme");
    await press("enter");
    await sees(/Theme +As the system/);
    await sees(/Takes +As the system, Light, Dark/);
    await press("9", "esc", "/");
    await type("day of digests");
    await press("enter");
    await sees(/Day of digests.* Tuesday/);
  });

  test("show the people a permission covers while it is chosen", async () => {
    const there = world();
    const { press, type, sees, controller, find } = stage(there, "olive", { columns: 80, rows: 24 });
    await press("9", "/");
    await type("create groups");
    await press("enter", "e");
    await sees(/● +role +members/);
    await press(" ");
    await sees("Nothing is chosen yet.");
    await type("admin");
    await sees(/▸ ○ +role +administrators +2 people/);
    await press(" ", "backspace", "backspace", "backspace", "backspace", "backspace");
    await type("mel@");
    await press("down", "up", " ");
    await sees(/= 3 people: .*Mel/);
    await press("enter");
    await sees(/Who +role:administrators, mel@/);
    await sees(/What changes\s+.*\n.*role:members +→ +role:administrators, mel@/);
    await sees(/− .*Max/);
    await sees("Default: role:members.");
    await press("enter");
    await sees("Changed can_create_groups.");
    expect(there.events.at(-1)?.event).toMatchObject({
      data: { can_create_groups: { direct_members: [there.user("mel").id] } },
    });

    await press("e", " ", " ");
    await type("nobody");
    const [x, y] = find({ kind: "pick", index: 0 });
    await press(`\x1b[<0;${x + 1};${y + 1}M`);
    await sees("= nobody");
    await press("esc", "esc");
    expect(controller.state.layers).toEqual([]);
  });

  test("offer only allowed values for a permission", async () => {
    const { press, type, sees, frame } = stage(world(), "olive", { columns: 80, rows: 24 });
    await press("9", "/");
    await type("can_access_all_users");
    await press("enter", "e");
    await sees(/● +role +everyone/);
    expect(frame()).toMatch(/○ +role +members/);
    expect(frame()).not.toMatch(/person|role +(owners|nobody)/);
  });
});

describe("an invitation", () => {
  test("shows its link as a QR code, even in a terminal of 80×24", async () => {
    const { press, sees } = stage(world(), "olive", { columns: 80, rows: 24 });
    await press("5", "n", "save");
    const shown = await sees("Created the link");
    expect(shown.match(/[▀▄█]{3,}/g)?.length).toBeGreaterThan(10);
    await press("y", "enter");
    await sees("Copied: Link.");
  });

  test("says if others cannot open its link", async () => {
    const own = world({ site: "http://127.0.0.1:9900" });
    const { press, sees } = stage(own, "olive", { columns: 80, rows: 30 });
    await press("5", "n", "save");
    await sees("on the server's own machine");
  });
});

describe("the log", () => {
  test("shows what is new next to what it has, which it asks for once", async () => {
    const there = world();
    await there.as("mel").get("/users/me");
    const { press, sees } = stage(there, "olive", { isServed: true, columns: 160, rows: 50 });
    await press("L");
    await sees(/get-own-user +Mel/);
    await there.as("max").get("/streams");
    await sees(/get-streams +Max/);
    await sees(/get-own-user +Mel/);
  });

  test("is drawn again only when something is new", async () => {
    let [draws, loads] = [0, 0];
    const sources = openSources(() => draws++);
    const load = async (before: { lines: string[] } | null) => {
      loads++;
      return { lines: before?.lines.slice() ?? [] };
    };
    sources.get("log", 2, load);
    await until(() => loads > 5, "more loads");
    expect(draws).toBe(1);
    sources.refresh("log", () => Promise.resolve({ lines: ["new"] }));
    await until(() => draws === 2, "the new line");
    sources.close();
  });

  test("is asked for as long as it is shown, however long nothing is drawn", async () => {
    const sources = openSources(() => {});
    const loads = { left: 0, shown: 0 };
    const count = (name: keyof typeof loads) => async () => loads[name]++;
    sources.get("left", 1, count("left"));
    sources.leave();
    sources.get("shown", 1, count("shown"));
    await until(() => loads.shown > 9, "more loads");
    expect(loads.left).toBe(1);
    sources.get("left", 1, count("left"));
    await until(() => loads.left > 3, "it is shown again");
    sources.close();
  });

  test("of a server that only counts on is not drawn again", async () => {
    const there = world();
    let [asked, notices] = [0, 0];
    const metrics = (async () => {
      asked++;
      return new Response(`confab_start_time_seconds 5\nconfab_commit_size_count ${asked}\n`);
    }) as unknown as typeof fetch;
    const link = serverLink(() => there.ctx("olive"), { fetch: metrics, address: () => "http://localhost" });
    link.watch(() => notices++);
    await until(() => asked > 1, "it is asked again");
    expect(notices).toBe(1);
    expect(link.state).toMatchObject({ kind: "running" });
    await link.close();
  });

  test("is filtered by level, operation and person, and shown in full again", async () => {
    const there = world();
    await there.as("mel").get("/users/me");
    await there.as("max").get("/streams");
    const { press, type, sees, frame } = stage(there, "olive", { isServed: true, columns: 160, rows: 50 });
    await press("L");
    await sees(/get-own-user +Mel/);
    await sees(/get-streams +Max/);
    await press("f", "tab");
    await type("get-str");
    await sees(/→ get-streams/);
    await press("right", "save");
    await sees("all levels, only get-streams");
    await sees(/▸ +.*get-streams +Max/);
    expect(frame()).not.toMatch(/get-own-user +Mel/);
    await press("x");
    await sees(/get-own-user +Mel/);
    await press("/");
    await type("get-own-user mel");
    await press("enter");
    await sees(/▸ +.*get-own-user +Mel/);
    await press("i", "esc");
    await sees("all levels, only Mel");
    await sees(/▸ +.*get-own-user +Mel/);
    expect(frame()).not.toMatch(/get-streams/);
    await press("u");
    await sees(/get-streams +Max/);
    await press("t");
    await sees("warn and above");
    await sees("No lines.");
    await press("f", "tab", "tab");
    await type("no-one@example.com");
    await press("save");
    await sees("No such user");
  });
});

describe("a list that follows", () => {
  test("stands still while it is stopped, and then shows what came", async () => {
    const there = world();
    const { press, sees, frame } = stage(there, "olive", { isServed: true });
    await press("E");
    await sees("Listening.");
    await press("s");
    await sees("Stopped: 0 events");
    await there.as("ada").post("/channel_folders/create", { name: "Support", description: "" });
    await sees("Stopped: 1 event came since.");
    expect(frame()).not.toContain("channel_folder/add");
    await press("s");
    await sees("channel_folder/add");
    await press("L", "s");
    await sees("stopped, s goes on");
    await press("s");
    expect(frame()).not.toContain("stopped");
  });
});

describe("the doctor", () => {
  test("runs remedies that are safe", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "console-"));
    chmodSync(dataDir, 0o755);
    const findings: Finding[] = [
      { check: "Data folder", verdict: "warning", finding: "Others can read it." },
    ];
    const { press, sees } = stage(world(), "olive", { findings, dataDir });
    await press("H");
    await sees("Others can read it.");
    await press("x", "y");
    await sees("Only this user can read the data folder now.");
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    rmSync(dataDir, { recursive: true });
  });
});

describe("sessions, and messages of a channel", () => {
  test("end a person's sessions, and give new keys", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("2", "/");
    await type("mel@");
    await press("enter", "s");
    await sees(/Sessions of Mel +1/);
    await press("x", "y");
    await sees("Ended 0 sessions of Mel.");
    await press("a", "y");
    await sees("This is not shown again");
  });

  test("end a person's API key", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("2", "/");
    await type("mel@");
    await press("enter", "s");
    await sees(/Mel +API key for programs +never/);
    await press("d");
    await sees("End the API key for programs of Mel?");
    await press("y");
    await sees("The key of Mel has ended.");
    expect((await there.as("mel").get("/users/me")).status).toBe(401);
  });

  test("are searched, edited, moved and deleted", async () => {
    const there = world();
    const { as } = there;
    await as("olive").post("/channels/create", { name: "news", subscribers: [there.user("olive").id] });
    for (const content of ["Two sugars", "No milk"])
      await as("olive").post("/messages", { type: "channel", to: "news", topic: "tea", content });
    const { press, type, sees } = stage(there, "olive");
    await press("6", "m");
    await sees(/Messages of news +\d/);
    await sees("No milk");
    await press("s");
    await type("sugars");
    await press("save");
    await sees(/Search: sugars/);
    await sees(/▸ +.*Two sugars/);
    await press("m", "\x15");
    await type("coffee");
    await press("save");
    await sees("Moved.");
    await sees(/▸ +.* coffee +Two sugars/);
    await press("m", "\x15");
    await type("milk");
    await press("down", "down", "left", "left", "save");
    await sees(/▸ +.* milk +Two sugars/);
    await press("u");
    await sees(/▸ +.* coffee +Two sugars/);
    await press("e");
    await type("!");
    await press("save");
    // What the operator did is shown together with its outcome.
    expect(await sees("The message is changed.")).toContain("Two sugars!");
    await press("d", "y");
    await sees("The message is deleted.");
    await sees("No messages that you may read.");
  });
});

describe("messages of no channel", () => {
  test("are those of the operator's feed, or of all public channels", async () => {
    const there = world();
    const { as, user } = there;
    await as("mel").post("/channels/create", { name: "news", subscribers: [user("mel").id] });
    const hidden = { name: "plans", subscribers: [user("mel").id], invite_only: true };
    await as("mel").post("/channels/create", hidden);
    for (const to of ["news", "plans"])
      await as("mel").post("/messages", { type: "channel", to, topic: "tea", content: `Milk in ${to}` });
    const to = [user("olive").id];
    await as("mel").post("/messages", { type: "direct", to, content: "Only for you" });
    const { press, sees, frame } = stage(there, "olive");
    await press("7");
    await sees(/Mel +Mel +Only for you/);
    expect(frame()).not.toContain("Milk");
    await press("v");
    await sees(/Mel +#news › tea +Milk in news/);
    expect(frame()).not.toMatch(/Only for you|plans/);
    await press("v");
    await sees("Only for you");
  });
});

describe("a bot that tools post as", () => {
  const posting = async (who: CastName) => {
    const there = world();
    const fields = { full_name: "Builder", short_name: "builder", bot_type: 2 };
    const { api_key, user_id } = (await there.as(who).post("/bots", fields)).body;
    const path = `/bots/${user_id}`;
    await there.as(who).post(`${path}/webhook_template`, { content: "{{build}} is {{state | unknown}}" });
    const send = (sender: string, body: object) =>
      there.anonymous.request(`/api/v1/external/${sender}?api_key=${api_key}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
    await send("json", { build: "docs", state: "failed" });
    await send("nobody-knows", { build: "site", by: "Mel" });
    return { there, path };
  };

  test("shows its template, what was posted with what the template makes of it, and the last calls", async () => {
    const { there, path } = await posting("olive");
    const { press, type, sees } = stage(there, "olive", { rows: 50 });
    await press("3", "/");
    await type("builder");
    await press("enter", "enter");
    await sees(/Posts +of tools, signed or not/);
    await sees("Template of any JSON, topic JSON:");
    await sees(/state \| unknown\}\} +│\n[^│]*│ +│\n[^│]*│ The last posts, with the fields/);
    await sees(/to json: build, state[^→]*→ docs is failed/);
    await sees(/to nobody-knows: build, by[^→]*→ site is unknown/);
    await sees("in json: post: sent");
    await sees(/in nobody-knows: refused \(/);
    await there.as("olive").post(`${path}/webhook_secret`);
    await sees(/Posts +of tools that sign/);
  });

  test("shows what was posted to its owner alone", async () => {
    const { there } = await posting("mel");
    const { press, type, sees, frame } = stage(there, "olive", { rows: 50 });
    await press("3", "/");
    await type("builder");
    await press("enter", "enter");
    await sees("in json: post: sent");
    expect(frame()).toContain("{{build}} is {{state | unknown}}");
    expect(frame()).not.toMatch(/docs|site/);
  });
});

describe("a new bot", () => {
  test("has the chosen kind, with the URL that it needs", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("3", "n");
    for (const text of ["Answers", "answers", "olive@", "called"]) {
      await type(text);
      if (text === "olive@") await press("right");
      await press("tab");
    }
    await press("save");
    await sees("An outgoing webhook needs a URL to post to");
    await type("https://answers.example.com/hook");
    await press("save");
    await sees("Added the bot Answers.");
    await press("enter", "/");
    await type("answers");
    await press("enter", "enter");
    await sees(/Kind +outgoing/);
    await sees(/Called at +https:\/\/answers\.example\.com\/hook/);
  });
});

describe("forms", () => {
  test("say when enter saves", async () => {
    const { press, sees } = stage(world(), "olive");
    await press("8", "n");
    await sees("⏎ next");
    await press("tab");
    await sees("⏎ save");
  });

  test("describe what a field accepts, and refuse the rest", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("8", "n");
    await sees("Takes 1 to 60 characters · 0 of 60.");
    await type("x".repeat(61));
    await sees("A channel folder's name has at most 60 characters.");
    await press("save");
    await sees("A new channel folder");
    expect(there.events).toEqual([]);
    await press("backspace", "save");
    await sees("Created the folder");
    expect(there.events).toMatchObject([{ event: { type: "channel_folder", op: "add" } }]);
  });

  test("show the server's error and keep the typed text", async () => {
    const there = world();
    await there.as("ada").post("/channel_folders/create", { name: "Support", description: "" });
    const { press, type, sees } = stage(there, "olive");
    await press("8", "n");
    await type("support");
    await press("save");
    const shown = await sees("Channel folder name already in use");
    expect(shown).toMatch(/▸ Name +support/);
  });

  test("refuse a password that is easy to guess", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("2", "j", "p");
    await type("123456");
    await press("save");
    await sees("This password is easy to guess.");
    const hashes = () => there.app.env.db.all("SELECT id FROM users WHERE password_hash IS NOT NULL").length;
    expect(hashes()).toBe(0);
    await type("seven yellow kettles");
    await press("save");
    await sees("Ada has a new password.");
    expect(hashes()).toBe(1);
  });

  test("save only changed fields, and undo them", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("9", "e");
    await type("!");
    await press("save");
    await sees("Changed name.");
    await press("u");
    await sees("Undone: Changed name.");
    expect(there.events.map(({ event }) => event)).toMatchObject([
      { type: "realm", property: "name", value: "Test Organization!" },
      { type: "realm", property: "name", value: "Test Organization" },
    ]);
  });

  test("cancel without saving on escape", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("8", "n");
    await type("Support");
    await press("esc");
    await sees("There are no folders.");
    expect(there.events).toEqual([]);
  });

  test("preview a linkifier while typing", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("P", "n");
    await type("T-(?P<id>\\d+)");
    await press("tab");
    await type("https://a.b/{id}");
    await press("tab");
    await type("fix T-12");
    await sees("T-12  →  https://a.b/12");
    await press("up", "backspace", "backspace", "backspace", "backspace");
    await sees("The pattern has a group 'id' that the URL template does not insert.");
    expect(there.events).toEqual([]);
  });
});

describe("row actions", () => {
  test("ask before something is deleted, and run only on yes", async () => {
    const there = world();
    const { press, type, sees } = stage(there, "olive");
    await press("2", "/");
    await type("max");
    await press("enter", "d");
    await sees("Deactivate Max? Their access ends at once; their messages stay.");
    await press("n");
    await sees("d deactivate");
    expect(there.events).toEqual([]);
    await press("d", "y");
    await sees("Max is deactivated.");
    await press("u");
    await sees("Undone: Max is deactivated.");
    const changes = there.events.filter(({ event }) => event.type === "realm_user").map(({ event }) => event);
    expect(changes).toMatchObject([{ person: { is_active: false } }, { person: { is_active: true } }]);
  });

  test("show the server's refusal", async () => {
    const there = world();
    const { press, sees } = stage(there, "olive");
    await press("2", "d", "y");
    await sees("cannot be");
    expect(there.events).toEqual([]);
  });
});

describe("reports", () => {
  async function reported() {
    const there = world();
    const { as, user } = there;
    const private_ = { name: "moderation", invite_only: true, subscribers: [user("olive").id] };
    const { stream_id, id = stream_id } = (await as("olive").post("/channels/create", private_)).body;
    await as("olive").patch("/realm", { moderation_request_channel_id: id });
    const to = [user("max").id];
    const { body } = await as("mel").post("/messages", { type: "direct", to, content: "Buy pills, now" });
    await as("max").post(`/messages/${body.id}/report`, { report_type: "spam", description: "Again" });
    return { there, id: body.id };
  }

  test("list reporter, sender and reason; the sender can be deactivated and reactivated", async () => {
    const { there } = await reported();
    const { press, sees } = stage(there, "olive");
    await press("R");
    await sees(/▸ +.* Mel +Max +Spam +open/);
    await press("x");
    await sees("Deactivate Mel?");
    await press("y");
    await sees("Mel is deactivated.");
    await press("u");
    await sees("Undone: Mel is deactivated.");
  });

  test("are marked as handled, with a note, and opened again", async () => {
    const { there } = await reported();
    const { press, type, sees } = stage(there, "olive");
    await press("R");
    await sees(/▸ +.* open /);
    await press("h");
    await type("Talked to both");
    await press("save");
    await sees("Marked as handled.");
    await sees(/▸ +.* handled /);
    await press("enter");
    await sees(/Handled +\d{4}-[\d: -]+ by Olive/);
    await sees(/Note +Talked to both/);
    await press("esc", "u");
    await sees(/▸ +.* open /);
    await press("h");
    await type("Talked to Mel");
    await press("save");
    await sees(/▸ +.* handled /);
    await press("h");
    await sees("The report is open again.");
    await press("u");
    await sees("Undone: The report is open again.");
    await press("enter");
    await sees(/Note +Talked to Mel/);
    await press("esc", "A");
    await sees("Report handled");
  });

  test("list the open ones, however many newer ones are handled", async () => {
    const { there } = await reported();
    const { system, env } = there.app;
    await env.db.write(system, (tx) => {
      const copied = "message_id, reported_id, reporter_id, report_type, description, notice_id, reported_at";
      tx.run(
        `INSERT INTO reports (${copied}, handled_at, handled_by) SELECT ${copied}, reported_at, reporter_id FROM reports, ` +
          "json_each(?)",
        JSON.stringify(Array.from({ length: 1_001 }, (_, i) => i)),
      );
    });
    const { press, sees } = stage(there, "olive");
    await sees("A message was reported.");
    await press("R", "G");
    await sees(/▸ +.* Mel +Max +Spam +open/);
  });

  test("show a message as it was; where the operator may read it, as it is now", async () => {
    const { there, id } = await reported();
    await there.as("mel").patch(`/messages/${id}`, { content: "Never mind" });
    const { press, sees } = stage(there, "olive");
    await press("R", "enter");
    await sees("Buy pills, now");
    await sees("You may not read it where it is now.");
  });

  test("are dismissed with a reason, or handled with a warning", async () => {
    const { there } = await reported();
    const { press, type, sees } = stage(there, "olive");
    await press("R", "s");
    await type("A joke");
    await press("save");
    await sees("Dismissed.");
    await sees(/▸ +.* dismissed /);
    await press("h");
    await sees("The report is open again.");
    await press("w");
    await type("Please stop");
    await press("save");
    await sees("Mel is warned.");
    await sees(/▸ +.* sender warned /);
    await press("enter");
    await sees(/Olive: dismissed\. A joke/);
  });

  test("take a message that is deleted, and name who was first", async () => {
    const { there } = await reported();
    const { press, sees } = stage(there, "olive");
    await press("R");
    await sees(/▸ +.* open /);
    // Between the question and the answer: before it, the list may already show what Ada did.
    await press("d");
    await there.as("ada").patch("/reports/1", { is_handled: true, delete_message: true });
    await press("y");
    await sees("Ada has handled this report already, and deleted the message.");
  });
});

describe("the running server", () => {
  test("is asked with a key that is revoked when the console ends", async () => {
    const there = world();
    const keys = () => there.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM api_keys")?.n;
    const before = keys();
    const { sees, controller } = stage(there, "olive", { isServed: true });
    await sees("● server running");
    await sees(/· up \d+ s · Confab/);
    expect(keys()).toBe((before ?? 0) + 1);
    await controller.session.close();
    expect(keys()).toBe(before);
  });

  test("is asked with another key after the operator's keys were revoked", async () => {
    const there = world();
    const { sees } = stage(there, "olive", { isServed: true, columns: 80 });
    await sees("● server running");
    await there.as("olive").post("/users/me/api_key/regenerate");
    await sees("○ no server");
    await sees(/The server at .* answered 401/);
    await sees("● server running");
  });
});

describe("the events", () => {
  test("survive a server that stops, and resume", async () => {
    const there = world();
    await changeRole(there.ctx("olive"), { user_id: there.user("ada").id, role: roles.owner });
    const { press, sees } = stage(there, "olive", { isServed: true });
    await press("E");
    await sees("Listening.");
    await deactivateUser(there.ctx("ada"), there.user("olive").id);
    await sees("The server cannot be reached: Account is deactivated");
    await press("8");
    await sees("There are no folders.");
    await reactivateUser(there.ctx("ada"), there.user("olive").id);
    await press("E");
    await sees("Listening.");
  });
});

describe("screens", () => {
  test("have unique keys, and actions whose keys have no other meaning", () => {
    const all = screensFor(true);
    const keys = all.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => commandOf(key) !== undefined)).toEqual([]);
    for (const { title, rowActions = [], actions = [] } of all) {
      const own = [...rowActions, ...actions].map(({ key }) => key);
      const taken = own.filter((key) => keys.includes(key) || commandOf(key) !== undefined);
      expect({ title, taken }).toEqual({ title, taken: [] });
    }
  });
});

describe("layout", () => {
  test("keeps every row within its width", () => {
    const columns = [
      { needed: 40, least: 6 },
      { needed: 10, least: 6, spare: true },
      { needed: 30, least: 6, grow: true },
    ];
    for (let room = 8; room < 120; room++) {
      const widths = fitColumns(columns, room).filter((width) => width > 0);
      expect(widths.reduce((sum, width) => sum + width + 2, -2)).toBeLessThanOrEqual(room);
    }
    const hidden = [
      { needed: 16, least: 16 },
      { needed: 20, least: 6 },
      { needed: 40, least: 40 },
    ];
    expect(fitColumns(hidden, 40)).toEqual([16, 20, 0]);
  });

  test("measures wide characters, and never splits one", () => {
    expect(cut("日本語のチャンネル", 7)).toBe("日本語…");
    expect(wrap("日本語 and a word", 6)).toEqual(["日本語", "and a", "word"]);
    expect(widthOf(cut("👩‍👩‍👧‍👦 family", 3))).toBeLessThanOrEqual(3);
    expect(["हिन्दी", "क्षत्रिय", "日本語", "தமிழ்", "🇩🇪", "👩"].map(widthOf)).toEqual([5, 6, 6, 4, 2, 2]);
    expect(cell("❤️👍🏽👩‍👩‍👧‍👦1️⃣", 9)).toBe("❤👍👩1   ");
    expect(stripControlCharacters("a\u001b[31m\u202eb")).toBe("a [31m b");
  });
});

describe("rules", () => {
  test.each([
    [z.boolean(), "yes, no"],
    [z.enum(["a", "b"]), "a, b"],
    [z.int().min(0).max(9), "a number from 0 to 9"],
    [z.int().positive().nullable(), "a number from 1, or nothing"],
    [z.string().min(2).max(100), "2 to 100 characters"],
    [z.string().meta({ maxLength: 12 }).refine(isPrintable), "up to 12 characters"],
    [z.string().min(1), "text"],
    [z.email(), ""],
    [nameOf("A channel", 60), "1 to 60 characters"],
  ])("describe what they accept: %#", (rule, said) => {
    expect(ruleText(rule)).toBe(said);
  });

  test.each([
    [z.int().positive().nullable(), "", { value: null }],
    [z.int().positive().nullable(), "42", { value: 42 }],
    [z.int().positive().nullable(), "-1", { problem: "Enter a number from 1, or nothing." }],
    [z.boolean(), "yes", { value: true }],
    [z.string().max(5), "42", { value: "42" }],
    [z.string().max(3, "At most three."), "four", { problem: "At most three." }],
    [z.literal([1, 2]), "3", { problem: "Enter 1, 2." }],
  ] as const)("read typed text: %#", (rule, text, read) => {
    expect<unknown>(readText(rule, text)).toEqual(read);
  });

  test("name their choices", () => {
    expect(choicesOf(z.union([z.literal(-1), z.boolean()]))).toEqual(["-1", "yes", "no"]);
    expect(choicesOf(z.string())).toBeNull();
  });
});

describe("metrics", () => {
  test("give the slowest requests first", () => {
    const text = [
      'x_bucket{le="0.1"} 1',
      'confab_request_duration_seconds_bucket{operation="a",le="0.01"} 10',
      'confab_request_duration_seconds_sum{operation="a"} 0.05',
      'confab_request_duration_seconds_count{operation="a"} 10',
      'confab_request_duration_seconds_bucket{operation="b",le="0.01"} 1',
      'confab_request_duration_seconds_bucket{operation="b",le="+Inf"} 4',
      'confab_request_duration_seconds_sum{operation="b"} 8',
      'confab_request_duration_seconds_count{operation="b"} 4',
    ];
    expect(slowestRequests(readMetrics(text.join("\n")))).toEqual([
      { operation: "b", requests: 4, mean: 2, p99: null },
      { operation: "a", requests: 10, mean: 0.005, p99: 0.01 },
    ]);
  });
});
