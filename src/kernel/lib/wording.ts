// Words validation errors for users: over HTTP, on the command line, in a form. Counts things in words.

import { z } from "zod";
import { type FormKey, ruleSentence, type Sentence } from "./errors.ts";

type Issue = z.core.$ZodIssue;

/** Marks zod's own texts, which are for programmers, to tell them from our rules' own: U+2060, invisible. */
const mark = "\u2060";
const { localeError } = z.locales.en();

z.config({
  customError: (issue) => {
    const worded = localeError(issue);
    return `${mark}${typeof worded === "string" ? worded : (worded?.message ?? "")}`;
  },
});

export interface ZodWording {
  /** True if `text` is a full sentence from the rule; otherwise it follows the name of the value. */
  isSentence: boolean;
  text: string;
  /** The sentence about the value of that name, for all languages; `inEnglish` replaces its English, which is the name and `text`. */
  of(name: string, inEnglish?: string): Sentence;
}

/** What follows the name of a value in English, and the form of the whole sentence. */
interface Predicate {
  text: string;
  form: FormKey;
  values?: Readonly<Record<string, string>>;
}

const kinds = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "a boolean",
  array: "a list",
  object: "an object",
} as const;
const kindOf = (expected: string) =>
  Object.hasOwn(kinds, expected) ? kinds[expected as keyof typeof kinds] : null;

export function wordingOf(issue: Issue): ZodWording {
  const own = issue.message;
  if (!own.startsWith(mark)) return { isSentence: true, text: own, of: () => ruleSentence(own) };
  return wordPredicate(predicateOf(issue));
}

export function wordPredicate({ text, form, values }: Predicate): ZodWording {
  return {
    isSentence: false,
    text,
    of: (name, inEnglish = `${name} ${text}`) => ({ inEnglish, text: form, values: { ...values, name } }),
  };
}

/** What is wrong, after the name of what was given: `--limit is not a number`, `name: This name is taken.`. */
export function wordingAfter(name: string, issue: Issue | undefined): string {
  if (!issue) return `${name} is not valid`;
  const { isSentence, text } = wordingOf(issue);
  return isSentence ? `${name}: ${text}` : `${name} ${text}`;
}

/** What is wrong as a sentence: the rule's own, or one about what is named. */
export function sentenceOf(name: string, issue: Issue | undefined): string {
  if (!issue) return `${name} is not valid.`;
  const { isSentence, text } = wordingOf(issue);
  return isSentence ? text : `${name} ${text}.`;
}

const wrongType: FormKey = "{name} has the wrong type";
const notValid: FormKey = "{name} is not valid";

function predicateOf(issue: Issue): Predicate {
  if (issue.code === "invalid_type") {
    const kind = kindOf(issue.expected);
    return kind
      ? { text: `is not ${kind}`, form: `{name} is not ${kind}` }
      : { text: "has the wrong type", form: wrongType };
  }
  if (issue.code === "too_small") {
    const text = isList(issue) ? "has too few items: the minimum is" : "is too small: the minimum is";
    const limit = String(issue.minimum);
    return { text: `${text} ${limit}`, form: `{name} ${text} {limit}`, values: { limit } };
  }
  if (issue.code === "too_big") {
    const text = isList(issue) ? "has too many items: the maximum is" : "is too large: the maximum is";
    const limit = String(issue.maximum);
    return { text: `${text} ${limit}`, form: `{name} ${text} {limit}`, values: { limit } };
  }
  if (issue.code === "invalid_value") {
    const values = issue.values.map(toText).join(", ");
    return { text: `must be one of: ${values}`, form: "{name} must be one of: {values}", values: { values } };
  }
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.join(", ");
    return {
      text: `has an unknown key: ${keys}`,
      form: "{name} has an unknown key: {keys}",
      values: { keys },
    };
  }
  const ofUnion = issue.code === "invalid_union" ? predicateOfUnion(issue) : null;
  return ofUnion ?? { text: "is not valid", form: notValid };
}

/**
 * The part of a value that is wrong: where all but one of the alternatives are of another kind than what was given, what that one
 * reports, with the path to it. A rule's own words stay.
 */
export function nearest(issue: Issue): Issue {
  if (issue.code !== "invalid_union" || !issue.message.startsWith(mark)) return issue;
  const reports = issue.errors.flatMap(([first]) => (first && !isOtherKind(first) ? [first] : []));
  const [only, ...others] = reports;
  if (!only || others.length > 0) return issue;
  return nearest({ ...only, path: [...issue.path, ...only.path] });
}

const isOtherKind = (issue: Issue) => issue.code === "invalid_type" && issue.path.length === 0;

const isList = ({ origin }: { origin: string }) => origin === "array";
const toText = (value: unknown) => (value === "" ? "''" : String(value));

/** The problem that all alternatives except null report, or that it is of none of their kinds; null if they report different ones. */
function predicateOfUnion({ errors }: z.core.$ZodIssueInvalidUnion): Predicate | null {
  const reports = errors.flatMap(([first]) => (first && !asksForNull(first) ? [first] : []));
  const [only, ...others] = new Map(
    reports.map((one) => {
      const predicate = predicateOf(one);
      return [predicate.text, predicate];
    }),
  ).values();
  if (only !== undefined && others.length === 0) return only;
  const expected = reports.map((one) =>
    isOtherKind(one) && "expected" in one ? kindOf(String(one.expected)) : null,
  );
  const [last, ...before] = [...new Set(expected)].reverse();
  if (!last || before.includes(null)) return null;
  return { text: `is neither ${before.reverse().join(" nor ")} nor ${last}`, form: wrongType };
}

const asksForNull = (issue: Issue) => issue.code === "invalid_type" && issue.expected === "null";

/** "a", "a and b", "a, b and c". */
export function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** "1 commit", "2 commits". */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How many of what: `[2, "commit"]`; with its plural if that has no s. */
export type CountedNoun = readonly [count: number, one: string, many?: string];

/** As people read it: "no commits", "1 commit", "2,000 commits". */
export function amountText([count, one, many = `${one}s`]: CountedNoun): string {
  return `${count === 0 ? "no" : count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** A size in human-readable form: 1.5 MB. */
export function bytesText(count: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3));
  const value = count / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
