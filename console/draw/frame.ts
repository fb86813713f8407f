// The whole screen as lines: header with the path, screens, list and details, notice, keys.
import type { Controller } from "../controller/controller.ts";
import {
  type ControllerState,
  findSelectedRow,
  type Layer,
  nameOfRow,
  positionOf,
  type RowBatch,
  rowOf,
  screenOf,
  secretOf,
} from "../controller/state.ts";
import type { Size } from "../layout.ts";
import {
  block,
  cut,
  fit,
  type Line,
  line,
  over,
  placeSideBySide,
  type Segment,
  sanitize,
  type Tone,
  widthOf,
  withBack,
  wrap,
} from "../layout.ts";
import { type BoxArea, box, within } from "./box.ts";
import { formLines } from "./form.ts";
import { hintLine } from "./hints.ts";
import { listLines, listTitle } from "./list.ts";
import { detailLines, detailTitle, finderLines, helpLines, secretLines } from "./panels.ts";
import { pickerLines } from "./picker.ts";
import { sidebar } from "./sidebar.ts";

const least = { columns: 60, rows: 16 };

/** Whether the screen is too small to show what keys would do. */
export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < least.columns || rows < least.rows;
}

export function frameOf(controller: Controller, organization: string, size: Size): Line[] {
  const { columns, rows } = size;
  if (isTooSmall(size)) return tooSmall(size);
  const { state } = controller;
  state.zones = [];
  const notice = noticeLines(state, columns);
  const height = rows - 2 - notice.length;
  const beginning = columns < 76 ? 0 : columns < 120 ? 17 : 21;
  const main: BoxArea = { x: beginning, y: 1, width: columns - beginning, height };
  state.isWide = main.width >= 96 && screenOf(state).facts !== undefined;
  const side = sidebar(state, { x: 0, y: 1, width: beginning, height });
  const body = bodyLines(controller, side, main, columns);
  return [
    fit(withBack(headerLine(controller, organization, columns), "bar"), columns, "bar"),
    ...body.map((one) => fit(one, columns)),
    ...notice.map((one) => fit(one, columns)),
    fit(withBack(hintLine(state, columns, rows - 1), "bar"), columns, "bar"),
  ];
}

function tooSmall({ columns, rows }: Size): Line[] {
  const text = `Please make this window at least ${least.columns} columns wide and ${least.rows} lines high, or leave with Ctrl+C.`;
  const lines = wrap(text, columns).map((one) => line(one));
  return block(lines, columns, rows);
}

/** The list of screens next to the rest; a secret has the whole width. */
function bodyLines(
  controller: Controller,
  side: readonly Line[],
  main: BoxArea,
  columns: number,
): readonly Line[] {
  const secret = secretOf(controller.state);
  if (secret) return block(secretLines(secret, columns), columns, main.height);
  const content = withFinder(controller, mainLines(controller, main), main);
  return main.x === 0 ? content : placeSideBySide(side, content);
}

/** List and details next to each other, or instead of them the layer on top. */
function mainLines(controller: Controller, area: BoxArea): Line[] {
  const { state, session } = controller;
  const layer = state.layers.findLast(({ kind }) => kind !== "ask" && kind !== "leave" && kind !== "finder");
  if (layer?.kind === "help") return helpBox(state, layer, area);
  if (!state.isWide) return layer ? layerBox(controller, layer, area) : listBox(controller, area, true);
  const row = findSelectedRow(state);
  if (row === undefined && !layer) return listBox(controller, area, true);
  const { listShare = 0.62 } = screenOf(state);
  // Forms need more room than details.
  const share = layer && layer.kind !== "details" ? Math.min(listShare, 0.55) : listShare;
  const left = Math.floor(area.width * share);
  const listArea = { ...area, width: left };
  const sideArea = { ...area, x: area.x + left, width: area.width - left };
  const list = listBox(controller, listArea, !layer);
  if (layer) return placeSideBySide(list, layerBox(controller, layer, sideArea));
  state.zones.push({ ...sideArea, target: { kind: "details" } });
  const inner = within(sideArea);
  const id = screenOf(state).id(row);
  const position = positionOf(state);
  const shownNow = detailLines(state, session, { id, top: position.detailTop, ...inner });
  position.detailTop = shownNow.top;
  const { lines } = shownNow;
  return placeSideBySide(list, box(sideArea, { title: detailTitle(state, id), lines, isFocused: false }));
}

function listBox({ state, session }: Controller, area: BoxArea, isFocused: boolean): Line[] {
  return box(area, {
    title: listTitle(state),
    foot: state.rows.length === 0 ? "" : `${positionOf(state).index + 1}/${state.rows.length}`,
    lines: listLines(state, session, within(area)),
    isFocused,
  });
}

function layerBox({ state, session }: Controller, layer: Layer, area: BoxArea): Line[] {
  const inner = within(area);
  if (layer.kind === "form") {
    const lines = formLines(state, layer.filling, session.ctx(), inner);
    return box(area, {
      title: [{ text: sanitize(layer.filling.form.title), tone: "title" }],
      lines,
      isFocused: true,
    });
  }
  if (layer.kind === "picker") {
    const { form } = layer.filling;
    const title = `${form.title}: ${form.fields[layer.name]?.label ?? ""}`;
    const lines = pickerLines(state, layer, session.ctx(), inner);
    const foot = `${layer.chosen.length} chosen`;
    return box(area, { title: line(sanitize(title), "title"), foot, lines, isFocused: true });
  }
  if (layer.kind !== "details") return box(area, { title: [], lines: [], isFocused: true });
  state.zones.push({ ...area, target: { kind: "details" } });
  const { lines, top } = detailLines(state, session, { id: layer.id, top: layer.top, ...inner });
  layer.top = top;
  state.page = inner.height;
  const foot = top > 0 ? `line ${top + 1}` : "";
  return box(area, { title: detailTitle(state, layer.id), foot, lines, isFocused: true });
}

function helpBox(state: ControllerState, layer: Layer & { kind: "help" }, area: BoxArea): Line[] {
  const inner = within(area);
  const all = helpLines(state, inner.width);
  layer.top = Math.max(0, Math.min(layer.top, all.length - inner.height));
  state.page = inner.height;
  state.zones.push({ ...area, target: { kind: "details" } });
  return box(area, { title: line("Help", "title"), lines: all.slice(layer.top), isFocused: true });
}

function withFinder({ state }: Controller, below: Line[], area: BoxArea): Line[] {
  const layer = state.layers.at(-1);
  if (layer?.kind !== "finder") return below;
  const width = Math.min(84, area.width - 4);
  const height = Math.min(18, area.height - 2);
  const x = Math.floor((area.width - width) / 2);
  const place: BoxArea = { x: area.x + x, y: area.y + 1, width, height };
  const lines = finderLines(state, layer, within(place));
  return over(below, box(place, { title: line("Go to", "title"), lines, isFocused: true }), { x, y: 1 });
}

function headerLine({ session, state }: Controller, organization: string, columns: number): Line {
  const { server, who } = session;
  const states = {
    running: "● server running",
    absent: "○ no server",
    asking: "◌ connecting",
    refused: "○ no administrator",
  };
  const status = states[server.state.kind];
  const right = columns < 100 ? cut(sanitize(who), 24) : cut(sanitize(who), 40);
  const room = columns - widthOf(status) - widthOf(right) - 16;
  const path = pathOf(state, cut(sanitize(organization), 30), Math.max(10, room));
  const used = path.reduce((sum, { text }) => sum + widthOf(text), 0);
  return [
    { text: " Confab  ", tone: "title" },
    ...path,
    { text: " ".repeat(Math.max(1, columns - used - widthOf(status) - widthOf(right) - 13)) },
    { text: status, tone: server.state.kind === "running" ? "good" : "warn" },
    { text: `   ${right} `, tone: "dim" },
  ];
}

/** The path from the organization to what is open; a click on a part leads back to it. */
function pathOf(state: ControllerState, organization: string, room: number): Line {
  const steps = state.trail.map(({ at, scope }) => partsOf(state, at, scope?.name));
  const top = state.layers.findLast(({ kind }) => kind === "details");
  const row = top?.kind === "details" ? rowOf(state, top.id) : undefined;
  const names = [
    organization,
    ...steps,
    partsOf(state, state.at, state.scope?.name),
    ...(row === undefined ? [] : [sanitize(nameOfRow(screenOf(state), row))]),
  ];
  const path: Segment[] = [];
  let x = 9;
  // Where the path is too long, its beginning goes.
  let left = 0;
  const lengthFrom = (from: number) =>
    names.slice(from).reduce((sum, name) => sum + widthOf(cut(name, 28)) + 3, -3);
  while (left < names.length - 1 && lengthFrom(left) > room) left++;
  for (const [i, name] of names.entries()) {
    if (i < left) continue;
    if (i > left) path.push({ text: " › ", tone: "faint" });
    x += i > left ? 3 : 0;
    const text = cut(name, 28);
    const steps = state.trail.length + 1 - i;
    if (i > 0 && steps > 0)
      state.zones.push({ x, y: 0, width: widthOf(text), height: 1, target: { kind: "back", steps } });
    path.push({ text, tone: i === 0 ? "accent" : i === names.length - 1 ? "title" : "dim" });
    x += widthOf(text);
  }
  return x - 9 <= room ? path : fit(path, room);
}

function partsOf({ screens }: ControllerState, at: number, scope: string | undefined): string {
  const title = screens[at]?.title ?? "";
  return scope === undefined ? title : `${title} of ${sanitize(scope)}`;
}

/** What the console asks or says above the keys: one line, or as many as a long sentence needs. */
function noticeLines(state: ControllerState, columns: number): Line[] {
  const top = state.layers.at(-1);
  if (top?.kind === "ask") return sentenceLines(top.question, columns, "warn");
  if (top?.kind === "leave") return [line(" Leave the console?", "warn")];
  if (state.filtering) {
    const { text } = state.filtering;
    return [[{ text: " /", tone: "accent" }, { text: sanitize(text) }, { text: " ", cursor: true }]];
  }
  if (state.batch) return [line(batchText(state.batch), "warn")];
  const isSaving = top?.kind === "form" && top.filling.busy;
  if (state.busy || isSaving) return [line(" Working …", "dim")];
  const { filter } = positionOf(state);
  const { notice } = state;
  if (notice && notice.text !== secretOf(state)?.title)
    return sentenceLines(notice.text, columns, notice.tone);
  return filter === "" ? [[]] : [[{ text: ` Filter: ${sanitize(filter)}`, tone: "accent" }]];
}

const maxNoticeLines = 3;

function sentenceLines(text: string, columns: number, tone: Tone): Line[] {
  const room = columns - 2;
  const all = wrap(text, room);
  const last = all.slice(maxNoticeLines - 1).join(" ");
  const lines = last === "" ? all : [...all.slice(0, maxNoticeLines - 1), cut(last, room)];
  return lines.map((one) => line(` ${one}`, tone));
}

function batchText({ done, total, verb, isStopped }: RowBatch): string {
  return ` ${done} of ${total} ${verb}${isStopped ? ", stopping" : "; Esc stops"} …`;
}
