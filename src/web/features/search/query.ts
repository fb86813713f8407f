// Parses searches such as "channel:harbour from:Mel has:link fish" into terms, and back.
import { best } from "../../lib/matching.ts";
import type { Term } from "../../state/narrows.ts";
import { channelOf, nameOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";

interface Operator {
  /** The word before the colon. */
  word: string;
  operator: string;
  about: string;
  kind: "channel" | "person" | "topic" | "words" | "date" | "id";
  /** The possible operands, if they are few. */
  values?: readonly string[];
}

const operators: readonly Operator[] = [
  { word: "channel", operator: "channel", about: "In a channel", kind: "channel" },
  { word: "topic", operator: "topic", about: "In a topic", kind: "topic" },
  { word: "from", operator: "sender", about: "Sent by somebody", kind: "person" },
  { word: "dm", operator: "dm", about: "In a direct conversation with somebody", kind: "person" },
  {
    word: "dm-including",
    operator: "dm-including",
    about: "In direct conversations that somebody is in",
    kind: "person",
  },
  { word: "mentions", operator: "mentions", about: "That mention somebody", kind: "person" },
  {
    word: "has",
    operator: "has",
    about: "That have something",
    kind: "words",
    values: ["link", "image", "attachment", "reaction"],
  },
  {
    word: "is",
    operator: "is",
    about: "That are something",
    kind: "words",
    values: ["starred", "mentioned", "unread", "followed", "resolved", "dm", "alerted", "muted"],
  },
  {
    word: "channels",
    operator: "channels",
    about: "In all public channels",
    kind: "words",
    values: ["public"],
  },
  { word: "before", operator: "before", about: "Before a day, such as 2026-11-01", kind: "date" },
  { word: "after", operator: "after", about: "From a day on, such as 2026-11-01", kind: "date" },
];

const partPattern = /-?[\w-]+:"[^"]*"?|-?[\w-]+:\S*|"[^"]*"?|\S+/g;

/** The terms of a text; all words without an operator become one search. */
export function termsOf(text: string, state: State): Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [part] of text.matchAll(partPattern)) {
    const term = termOf(part, state);
    if (term) terms.push(term);
    else words.push(part);
  }
  return words.length === 0
    ? terms
    : [...terms, { operator: "search", operand: words.join(" "), negated: false }];
}

function termOf(part: string, state: State): Term | null {
  const [, minus = "", word = "", quoted = ""] = /^(-?)([\w-]+):(.+)$/.exec(part) ?? [];
  const known = operators.find((one) => one.word === word.toLowerCase());
  if (!known) return null;
  const value = quoted.replace(/^"|"$/g, "");
  const operand = operandOf(known, value, state);
  return operand === null ? null : { operator: known.operator, operand, negated: minus === "-" };
}

function operandOf({ kind }: Operator, value: string, state: State): string | null {
  const isNamed = (name: string) => name.toLowerCase() === value.toLowerCase();
  if (kind === "channel") {
    const found = Object.values(state.streams).find(({ name }) => isNamed(name));
    return found ? String(found.stream_id) : null;
  }
  if (kind === "person") {
    if (isNamed("me")) return String(state.self.user_id);
    const found = Object.values(state.users).find(({ full_name }) => isNamed(full_name));
    return found ? String(found.user_id) : null;
  }
  return value === "" ? null : value;
}

/** The terms as text. */
export function textOf(terms: readonly Term[], state: State): string {
  return terms
    .map(({ operator, operand, negated }) => {
      if (operator === "search") return operand;
      const known = operators.find((one) => one.operator === operator);
      return `${negated ? "-" : ""}${known?.word ?? operator}:${quoteIfNeeded(displayOperand(known, operand, state))}`;
    })
    .join(" ");
}

function displayOperand(known: Operator | undefined, operand: string, state: State): string {
  if (!/^\d+$/.test(operand)) return operand;
  if (known?.kind === "channel") return channelOf(state, Number(operand))?.name ?? operand;
  return known?.kind === "person" ? nameOf(state, Number(operand)) : operand;
}

function quoteIfNeeded(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}

export interface Suggestion {
  /** The whole text with the suggestion in it. */
  text: string;
  label: string;
  about: string;
}

const maxShown = 8;

/** Completions of the last part of the text. */
export function suggestionsFor(text: string, state: State): Suggestion[] {
  const last = text.match(/(?:-?[\w-]+:"[^"]*|\S*)$/)?.[0] ?? "";
  const before = text.slice(0, text.length - last.length);
  const [, minus = "", word = "", typed = ""] = /^(-?)([\w-]+):"?(.*)$/.exec(last) ?? [];
  const known = operators.find((one) => one.word === word.toLowerCase());
  if (known) {
    const start = `${before}${minus}${known.word}:`;
    return valuesFor(known, typed, text, state).map(({ value, about }) => ({
      text: `${start}${quoteIfNeeded(value)} `,
      label: `${minus}${known.word}:${value}`,
      about,
    }));
  }
  const plain = last.replace(/^-/, "");
  const negation = last.startsWith("-") ? "-" : "";
  return operators
    .filter((one) => one.word.startsWith(plain.toLowerCase()))
    .slice(0, plain === "" ? maxShown : undefined)
    .map((one) => ({
      text: `${before}${negation}${one.word}:`,
      label: `${negation}${one.word}:`,
      about: one.about,
    }));
}

function valuesFor({ kind, values, about }: Operator, typed: string, text: string, state: State) {
  if (values) return values.filter((value) => value.startsWith(typed)).map((value) => ({ value, about }));
  if (kind === "channel") {
    const open = Object.values(state.streams).filter(({ is_archived }) => !is_archived);
    return best(open, ({ name }) => name, typed, maxShown).map(({ name, description }) => ({
      value: name,
      about: description,
    }));
  }
  if (kind === "person") {
    const people = Object.values(state.users).filter(({ is_active }) => is_active);
    return best(people, ({ full_name }) => full_name, typed, maxShown).map(({ full_name }) => ({
      value: full_name,
      about,
    }));
  }
  if (kind !== "topic") return [];
  const channel = termsOf(text, state).find(({ operator }) => operator === "channel")?.operand;
  const lists = channel ? [state.topic_lists[Number(channel)] ?? []] : Object.values(state.topic_lists);
  const names = new Set(lists.flat().map(({ name }) => name));
  return best(names, (name) => name, typed, maxShown).map((value) => ({ value, about }));
}
