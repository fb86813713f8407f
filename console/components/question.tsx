// What the console asks or says above the keys: one line, or as many as a long sentence needs.
import { type ControllerState, positionOf, type RowBatch, secretOf } from "../controller/state.ts";
import { cut, type Line, line, sanitize, type Tone, wrap } from "../layout.ts";
import { Lines } from "./words.tsx";

export function Question({ lines }: { lines: readonly Line[] }) {
  return <Lines lines={lines} />;
}

export function questionLines(state: ControllerState, columns: number): Line[] {
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
  if (state.held) return [line(" Asking the server; Esc ends it …", "dim")];
  const { filter } = positionOf(state);
  const { notice } = state;
  if (notice && notice.text !== secretOf(state)?.title)
    return sentenceLines(notice.text, columns, notice.tone);
  return [filter === "" ? [] : line(` Filter: ${sanitize(filter)}`, "accent")];
}

const maxLines = 3;

function sentenceLines(text: string, columns: number, tone: Tone): Line[] {
  const room = columns - 2;
  const all = wrap(text, room);
  const last = all.slice(maxLines - 1).join(" ");
  const lines = last === "" ? all : [...all.slice(0, maxLines - 1), cut(last, room)];
  return lines.map((one) => line(` ${one}`, tone));
}

function batchText({ done, total, verb, isStopped }: RowBatch): string {
  return ` ${done} of ${total} ${verb}${isStopped ? ", stopping" : "; Esc stops"} …`;
}
