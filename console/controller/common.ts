// What means the same in a list and in details: moving, opening, keys of screens and of actions.
import { begin, edit, openForm, undo } from "./actions.ts";
import { commandOf, type KeyCommand } from "./keys.ts";
import { go, show } from "./places.ts";
import { note } from "./rows.ts";
import { detailsLayer, findSelectedRow, type Inside, positionOf, screenOf } from "./state.ts";

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
  create: (inside) => {
    const { create } = screenOf(inside.state);
    if (create) openForm(inside, create.form(inside.session.ctx(), inside.state.scope));
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

function copySelected({ state, copy }: Inside): void {
  const row = findSelectedRow(state);
  const text = row === undefined ? null : (screenOf(state).copies?.(row) ?? null);
  if (text === null) return;
  copy(text);
  state.notice = { text: `Copied: ${text}`, tone: "good" };
}
