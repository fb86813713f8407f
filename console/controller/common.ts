// What means the same in a list and in details: moving, opening, keys of screens and of actions.
import { countText } from "@/kernel/lib/wording.ts";
import { seeAlso } from "../jumps.ts";
import { bytes } from "../layout.ts";
import { begin, edit, openForm, undo } from "./actions.ts";
import { columnsForm, hiddenColumns } from "./columns.ts";
import { commandOf, type KeyCommand } from "./keys.ts";
import { go, show } from "./places.ts";
import { note } from "./rows.ts";
import { detailsLayer, findSelectedRow, type Inside, listTargetRows, positionOf, screenOf } from "./state.ts";
import { whenHere } from "./waiting.ts";

export const moves: Partial<Record<KeyCommand, (index: number, page: number, count: number) => number>> = {
  up: (index) => index - 1,
  down: (index) => index + 1,
  pageUp: (index, page) => index - page,
  pageDown: (index, page) => index + page,
  first: () => 0,
  last: (_, __, count) => count - 1,
};

export function moveTo({ state }: Inside, wanted: number): void {
  const position = positionOf(state);
  position.wanted = null;
  position.isAtEnd = false;
  position.index = Math.max(0, Math.min(wanted, state.rows.length - 1));
  note(state);
}

/** Goes where the row leads, or shows its details. */
export function open(inside: Inside): void {
  const { state } = inside;
  const row = findSelectedRow(state);
  const leads = row === undefined ? null : (screenOf(state).leads?.(row) ?? null);
  if (leads) go(inside, leads);
  else openDetails(inside);
}

export function openDetails({ state }: Inside): void {
  const { facts, id } = screenOf(state);
  const row = findSelectedRow(state);
  if (row !== undefined && facts) state.layers.push(detailsLayer(id(row), positionOf(state).details.top));
}

const common: Partial<Record<KeyCommand, (inside: Inside) => void>> = {
  help: ({ state }) => void state.layers.push({ kind: "help", top: 0 }),
  undo,
  edit,
  copy: copySelected,
  copyText: (inside) => copyRows(inside, textOfRows),
  copyJson: (inside) => copyRows(inside, jsonOfRows),
  browse: openInBrowser,
  columns: (inside) => openForm(inside, columnsForm(inside)),
  create: (inside) => {
    const { create } = screenOf(inside.state);
    if (create)
      whenHere(inside, create.form(inside.session.ctx(), inside.state.scope), (made) =>
        openForm(inside, made),
      );
  },
};

/** Keys that mean the same in lists and in details. */
export function anywhere(inside: Inside, key: string): void {
  const { state } = inside;
  const numbered = state.screens.findIndex((one) => one.key === key);
  const command = commandOf(key);
  const meant = command && common[command];
  if (numbered >= 0) show(inside, numbered);
  else if (meant) meant(inside);
  else begin(inside, key);
}

function copyRows(inside: Inside, write: (inside: Inside, rows: readonly unknown[]) => string): void {
  const rows = listTargetRows(inside.state);
  if (rows.length === 0) return;
  copyOut(inside, write(inside, rows), `Copied ${countText(rows.length, "row")}.`);
}

/** Clipboards of some terminals take no more bytes, and half of a list or of JSON is worse than nothing. */
const maxCopied = 70_000;

export function copyOut({ state, copy }: Inside, text: string, said = `Copied: ${text}`): void {
  const length = Buffer.byteLength(text);
  if (length > maxCopied) {
    const tooLong = `Nothing was copied: a terminal's clipboard takes ${bytes(maxCopied)}, and this has ${bytes(length)}.`;
    state.notice = { text: tooLong, tone: "bad" };
  } else {
    copy(text);
    state.notice = { text: said, tone: "good" };
  }
}

/** The columns that are shown, between tabs, with their titles where there are several rows. */
function textOfRows({ state, session }: Inside, rows: readonly unknown[]): string {
  const screen = screenOf(state);
  const hidden = hiddenColumns(session, screen);
  const columns = screen.columns.filter(({ title }) => !hidden.has(title));
  const lines = rows.map((row) => columns.map(({ value }) => value(row).replaceAll(/\s+/g, " ")).join("\t"));
  return [...(rows.length > 1 ? [columns.map(({ title }) => title).join("\t")] : []), ...lines].join("\n");
}

/** What is known of one row, or of each of several. */
function jsonOfRows({ state, session }: Inside, rows: readonly unknown[]): string {
  const { columns, facts, text } = screenOf(state);
  const all = rows.map((row) => {
    // A fact without a label says that the details, which are at a server elsewhere, have not come.
    const details = (facts?.(session, row) ?? []).filter(([label]) => label !== "");
    const known =
      details.length > 0 ? details : columns.map(({ title, value }) => [title, value(row)] as const);
    const longer = text?.(session, row) ?? "";
    return Object.fromEntries([
      ...known.filter(([label]) => label !== seeAlso).map(([label, value]) => [label, value] as const),
      ...(longer === "" ? [] : [["Text", longer] as const]),
    ]);
  });
  return JSON.stringify(all.length === 1 ? all[0] : all, null, 2);
}

function openInBrowser(inside: Inside): void {
  const { state, session, browse } = inside;
  const [row] = listTargetRows(state);
  const path = row === undefined ? null : (screenOf(state).page?.(row) ?? null);
  if (path === null) return;
  const address = session.site + path;
  if (browse(address)) state.notice = { text: `Opened ${address}`, tone: "good" };
  else copyOut(inside, address);
}

function copySelected(inside: Inside): void {
  const row = findSelectedRow(inside.state);
  const text = row === undefined ? null : (screenOf(inside.state).copies?.(row) ?? null);
  if (text !== null) copyOut(inside, text);
}
