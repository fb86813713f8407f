// Parses searches such as "channel:harbour from:Mel has:link fish" into terms, and back.
import { best } from "../../lib/matching.ts";
import { t } from "../../lib/texts.ts";
import { operandOf, type Term, term } from "../../state/narrows.ts";
import { channelOf, nameOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";

interface Operator {
  /** The word before the colon. */
  word: string;
  operator: string;
  about: string;
  kind: "channel" | "person" | "topic" | "words";
  /** All operands of an operator that takes words of its own, and what each finds. */
  values?: Readonly<Record<string, string>>;
}

const operators: readonly Operator[] = [
  { word: "channel", operator: "channel", about: t("In a channel"), kind: "channel" },
  { word: "topic", operator: "topic", about: t("In a topic"), kind: "topic" },
  { word: "from", operator: "sender", about: t("Sent by somebody"), kind: "person" },
  { word: "dm", operator: "dm", about: t("In a direct conversation with somebody"), kind: "person" },
  {
    word: "dm-including",
    operator: "dm-including",
    about: t("In direct conversations that somebody is in"),
    kind: "person",
  },
  {
    word: "has",
    operator: "has",
    about: t("That have something"),
    kind: "words",
    values: {
      link: t("That have a link"),
      image: t("That have an image"),
      attachment: t("That have an uploaded file"),
      reaction: t("That have a reaction"),
    },
  },
  {
    word: "is",
    operator: "is",
    about: t("That are something"),
    kind: "words",
    values: {
      starred: t("That you starred"),
      mentioned: t("That mention you"),
      unread: t("That are unread"),
      followed: t("In topics that you follow"),
      resolved: t("In resolved topics"),
      dm: t("In direct conversations"),
      alerted: t("With one of your alert words"),
      muted: t("In muted channels and topics"),
    },
  },
  {
    word: "channels",
    operator: "channels",
    about: t("In all public channels"),
    kind: "words",
    values: { public: t("In all public channels") },
  },
];

/** Operators that links use, and the field only shows and reads. */
const others = ["search", "in", "with", "id", "near"];

const partPattern = /-?[\w-]+:"[^"]*"?|-?[\w-]+:\S*|"[^"]*"?|\S+/g;

/** The terms of a text; all words without an operator become one search. */
export function termsOf(text: string, state: State): Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [part] of text.matchAll(partPattern)) {
    const found = termOf(part, state);
    if (found) terms.push(found);
    else words.push(part);
  }
  return words.length === 0 ? terms : [...terms, term("search", words.join(" "))];
}

function termOf(part: string, state: State): Term | null {
  const [, minus = "", typed = "", quoted = ""] = /^(-?)([\w-]+):(.+)$/.exec(part) ?? [];
  const word = typed.toLowerCase();
  const negated = minus === "-";
  const value = quoted.replace(/^"|"$/g, "");
  if (others.includes(word)) return value === "" ? null : term(word, value, negated);
  const known = operators.find((one) => one.word === word);
  const operand = known ? readOperand(known, value, state) : null;
  return known && operand !== null ? term(known.operator, operand, negated) : null;
}

function readOperand({ kind }: Operator, value: string, state: State): string | null {
  if (kind === "topic") return value;
  if (kind === "words") return value === "" ? null : value.toLowerCase();
  if (kind === "person") return peopleOf(value, state);
  const found = Object.values(state.streams).find(({ name }) => name.toLowerCase() === value.toLowerCase());
  return found ? String(found.stream_id) : null;
}

/** The IDs of a person or, separated by commas, of several; null if one is unknown. */
function peopleOf(text: string, state: State): string | null {
  const whole = personOf(text, state);
  if (whole !== null) return whole;
  const ids = text.split(",").map((part) => personOf(part.trim(), state));
  return ids.includes(null) ? null : ids.join(",");
}

/** The ID of a person by name, active people first, or by ID. */
function personOf(text: string, state: State): string | null {
  const name = text.toLowerCase();
  if (name === "me") return String(state.self.user_id);
  const named = Object.values(state.users).filter(({ full_name }) => full_name.toLowerCase() === name);
  const found = named.find(({ is_active }) => is_active) ?? named[0];
  if (found) return String(found.user_id);
  return /^\d+$/.test(text) && state.users[Number(text)] ? text : null;
}

/** The terms as text. */
export function textOf(terms: readonly Term[], state: State): string {
  return terms
    .map(({ operator, operand, negated }) => {
      if (operator === "search" && !negated) return operand;
      const known = operators.find((one) => one.operator === operator);
      return `${negated ? "-" : ""}${known?.word ?? operator}:${quoteIfNeeded(displayOperand(known, operand, state))}`;
    })
    .join(" ");
}

function displayOperand(known: Operator | undefined, operand: string, state: State): string {
  if (known?.kind === "person" && /^\d+(,\d+)*$/.test(operand))
    return operand
      .split(",")
      .map((id) => findableName(id, state))
      .join(", ");
  if (known?.kind === "channel" && /^\d+$/.test(operand))
    return channelOf(state, Number(operand))?.name ?? operand;
  return operand;
}

/** What somebody can be found by: their name or, where that finds another person, their ID. */
function findableName(id: string, state: State): string {
  const name = nameOf(state, Number(id));
  return !name.includes(",") && personOf(name, state) === id ? name : id;
}

function quoteIfNeeded(text: string): string {
  return text === "" || /\s/.test(text) ? `"${text}"` : text;
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
  if (values)
    return Object.entries(values)
      .filter(([value]) => value.startsWith(typed.toLowerCase()))
      .map(([value, found]) => ({ value, about: found }));
  if (kind === "channel") {
    const open = Object.values(state.streams).filter(({ is_archived }) => !is_archived);
    return best(open, ({ name }) => name, typed, maxShown).map(({ name, description }) => ({
      value: name,
      about: description,
    }));
  }
  if (kind === "person") {
    const people = Object.values(state.users).filter(({ is_active }) => is_active);
    return best(people, ({ full_name }) => full_name, typed, maxShown).map(({ user_id, full_name }) => {
      const value = findableName(String(user_id), state);
      return {
        value,
        about: value === full_name ? about : t("{name}: {value}", { name: about, value: full_name }),
      };
    });
  }
  if (kind !== "topic") return [];
  const channel = operandOf(termsOf(text, state), "channel");
  const lists = channel ? [state.topic_lists[Number(channel)] ?? []] : Object.values(state.topic_lists);
  const names = new Set(lists.flat().map(({ name }) => name));
  return best(names, (name) => name, typed, maxShown).map((value) => ({ value, about }));
}
