// The whole screen: header, list of screens, content, notice and keys. The only place that listens to keys.
import { Box, type Key, Text, useApp, useInput, usePaste, useWindowSize } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import { harmless } from "@/kernel/harmless.ts";
import { type Desk, type DeskState, mayEdit, positionOf, screenOf, selectedRow } from "../desk.ts";
import { isOnLast } from "../form.ts";
import { keyName, keyOf } from "../keys.ts";
import { cut, type Line, padded, widthOf } from "../layout.ts";
import { FormView } from "./form-view.tsx";
import { Row } from "./lines.tsx";
import { List } from "./list.tsx";
import { Details, Help, Secret } from "./panels.tsx";

const least = { columns: 60, rows: 16 };
const sidebarWidth = 15;
const wideEnough = 76;

const named: Partial<Record<keyof Key, string>> = {
  upArrow: "up",
  downArrow: "down",
  leftArrow: "left",
  rightArrow: "right",
  pageDown: "pagedown",
  pageUp: "pageup",
  home: "home",
  end: "end",
  return: "enter",
  escape: "esc",
  backspace: "backspace",
  delete: "delete",
};

function nameOf(input: string, key: Key): string | null {
  for (const [property, name] of Object.entries(named)) if (key[property as keyof Key]) return name;
  if (key.tab) return key.shift ? "shift+tab" : "tab";
  return key.ctrl && /^[a-z]$/.test(input) ? `ctrl+${input}` : null;
}

const controls: Record<string, string> = { "\t": "tab", "\r": "enter", "\n": "enter", "\x7f": "backspace" };

/** Splits fast typing, which arrives as one text, into text and control keys. Pasted text arrives separately. */
function partsOf(input: string): [key: string, isText: boolean][] {
  return input
    .split(/(\p{Cc})/u)
    .filter((part) => part !== "")
    .map((part) => {
      const control = /^\p{Cc}$/u.test(part);
      const letter = String.fromCharCode(part.charCodeAt(0) + 96);
      return control ? [controls[part] ?? `ctrl+${letter}`, false] : [part, true];
    });
}

export function Console({ desk, organization }: { desk: Desk; organization: () => string }) {
  const { columns, rows } = useWindowSize();
  const { exit } = useApp();
  useSyncExternalStore(desk.watch, () => desk.version);
  const { isOver } = desk.state;
  useEffect(() => {
    if (isOver) exit();
  }, [isOver, exit]);
  const isTooSmall = columns < least.columns || rows < least.rows;
  useInput((input, key) => {
    const name = nameOf(input, key);
    // No key may act without a visible effect.
    if (isTooSmall && name !== "ctrl+c") return;
    if (name !== null) desk.press(name);
    else if (!key.ctrl && !key.meta) for (const part of partsOf(input)) desk.press(...part);
  });
  usePaste((text) => {
    if (!isTooSmall) desk.paste(text);
  });

  if (isTooSmall) {
    return (
      <Text>{`Please make this window at least ${least.columns} columns wide and ${least.rows} lines high, or leave with Ctrl+C.`}</Text>
    );
  }
  const hasSidebar = columns >= wideEnough;
  const width = columns - (hasSidebar ? sidebarWidth + 3 : 2);
  const height = rows - 5;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Row line={headerLine(desk, organization(), columns)} />
      <Row line={[{ text: ruleLine(columns, hasSidebar, "┬"), tone: "dim" }]} />
      <Box height={height} overflow="hidden">
        {hasSidebar && <Sidebar state={desk.state} height={height} />}
        <Box marginLeft={1} width={width} height={height} overflow="hidden">
          <Main desk={desk} width={width} height={height} />
        </Box>
      </Box>
      <Row line={[{ text: ruleLine(columns, hasSidebar, "┴"), tone: "dim" }]} />
      <Row line={noticeLine(desk.state, columns)} />
      <Row line={hintLine(desk.state, columns)} />
    </Box>
  );
}

function ruleLine(columns: number, hasSidebar: boolean, joint: string): string {
  if (!hasSidebar) return "─".repeat(columns);
  return "─".repeat(sidebarWidth) + joint + "─".repeat(columns - sidebarWidth - 1);
}

function headerLine({ session }: Desk, organization: string, columns: number): Line {
  const { server, who } = session;
  const states = { running: "● server running", absent: "○ no server", asking: "◌ connecting to the server" };
  const right = `${cut(harmless(who), 40)} `;
  const status = states[server.state.kind];
  const left = ` Confab  ${cut(harmless(organization), Math.max(0, columns - widthOf(right) - widthOf(status) - 14))}`;
  const gap = Math.max(1, columns - widthOf(left) - widthOf(status) - widthOf(right) - 3);
  return [
    { text: " Confab", tone: "title" },
    { text: left.slice(" Confab".length), tone: "accent" },
    { text: " ".repeat(gap) },
    { text: status, tone: server.state.kind === "running" ? "good" : "dim" },
    { text: `   ${right}`, tone: "dim" },
  ];
}

function Sidebar({ state, height }: { state: DeskState; height: number }) {
  const lines = Array.from({ length: height }, (_, i) => {
    const screen = state.screens[i];
    return {
      place: i,
      text: screen ? ` ${screen.key} ${screen.title}` : "",
      isOpen: screen && i === state.at,
    };
  });
  return (
    <Box flexDirection="column" width={sidebarWidth + 1}>
      {lines.map(({ place, text, isOpen }) => (
        <Text key={place} wrap="truncate">
          <Text inverse={isOpen} dimColor={!isOpen}>
            {padded(text, sidebarWidth)}
          </Text>
          <Text dimColor>│</Text>
        </Text>
      ))}
    </Box>
  );
}

function Main({ desk, width, height }: { desk: Desk; width: number; height: number }) {
  const { state, session } = desk;
  const size = { width, height };
  const layer = state.layers.findLast(({ kind }) => kind !== "ask");
  if (!layer) return <List state={state} session={session} {...size} />;
  if (layer.kind === "form") return <FormView filling={layer.filling} ctx={session.ctx()} {...size} />;
  if (layer.kind === "secret") return <Secret title={layer.title} facts={layer.facts} {...size} />;
  if (layer.kind === "help") return <Help state={state} layer={layer} {...size} />;
  if (layer.kind === "details") return <Details state={state} session={session} layer={layer} {...size} />;
  return null;
}

function noticeLine(state: DeskState, columns: number): Line {
  const top = state.layers.at(-1);
  if (top?.kind === "ask") return [{ text: ` ${cut(harmless(top.question), columns - 2)}`, tone: "warn" }];
  if (state.filtering) {
    const { text } = state.filtering;
    return [{ text: " /", tone: "accent" }, { text: harmless(text) }, { text: " ", cursor: true }];
  }
  const position = positionOf(state);
  if (state.notice) {
    const { text, tone } = state.notice;
    return [{ text: ` ${cut(harmless(text), columns - 2)}`, tone }];
  }
  return position.filter === "" ? [] : [{ text: ` Filter: ${harmless(position.filter)}`, tone: "accent" }];
}

type Hint = readonly [key: string, about: string];

function hints(state: DeskState): Hint[] {
  const top = state.layers.at(-1);
  if (top?.kind === "ask")
    return [
      ["y", "yes"],
      ["n", "no"],
    ];
  if (top?.kind === "form")
    return [
      ["⏎", isOnLast(top.filling) ? "save" : "next"],
      ["^S", "save"],
      ["tab", "next field"],
      ["esc", "cancel"],
    ];
  if (state.filtering)
    return [
      ["⏎", "apply the filter"],
      ["esc", "clear the filter"],
    ];
  if (top?.kind === "secret") return [["⏎", "close"]];
  if (top?.kind === "help")
    return [
      ["↓ ↑", "scroll"],
      [keyOf("back"), "close"],
    ];
  const back: Hint = [keyOf("back"), top || positionOf(state).filter !== "" ? "back" : "quit"];
  const undo: Hint[] = state.notice?.undo ? [[keyOf("undo"), "undo"]] : [];
  return [...undo, ...rowHints(state, top !== undefined), [keyOf("help"), "help"], back];
}

function rowHints(state: DeskState, isOpen: boolean): Hint[] {
  const screen = screenOf(state);
  const row = selectedRow(state);
  const found: Hint[] = [];
  if (!isOpen) {
    if (row !== undefined && screen.facts) found.push([keyOf("open"), "open"]);
    found.push([keyOf("filter"), "filter"]);
  }
  if (screen.create) found.push([keyOf("create"), screen.create.title]);
  if (row === undefined) return found;
  if (mayEdit(screen, row)) found.push([keyOf("edit"), "edit"]);
  for (const rowAction of screen.rowActions ?? []) {
    const title = rowAction.title(row);
    if (title !== null) found.push([keyName(rowAction.key), title]);
  }
  return found;
}

/** Always shows help and back, and as many other keys as fit. */
function hintLine(state: DeskState, columns: number): Line {
  const all = hints(state);
  const width = (some: readonly Hint[]) =>
    some.reduce((sum, [key, about]) => sum + widthOf(key) + widthOf(about) + 3, 1);
  const kept = [...all];
  while (width(kept) > columns && kept.length > 2) kept.splice(-3, 1);
  return [
    { text: " " },
    ...kept.flatMap(
      ([key, about]): Line => [
        { text: key, tone: "accent" },
        { text: ` ${about}  `, tone: "dim" },
      ],
    ),
  ];
}
