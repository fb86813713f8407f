// Words validation errors for users: over HTTP, on the command line, in a form. Counts things in words.
import { z } from "zod";

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
}

const kinds: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "a boolean",
  array: "a list",
  object: "an object",
};

export function wordingOf(issue: Issue): ZodWording {
  if (!issue.message.startsWith(mark)) return { isSentence: true, text: issue.message };
  return { isSentence: false, text: predicateOf(issue) };
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

function predicateOf(issue: Issue): string {
  if (issue.code === "invalid_type") {
    const kind = kinds[issue.expected];
    return kind ? `is not ${kind}` : "has the wrong type";
  }
  if (issue.code === "too_small")
    return `${isList(issue) ? "has too few items" : "is too small"}: the minimum is ${issue.minimum}`;
  if (issue.code === "too_big")
    return `${isList(issue) ? "has too many items" : "is too large"}: the maximum is ${issue.maximum}`;
  if (issue.code === "invalid_value") return `must be one of: ${issue.values.map(toText).join(", ")}`;
  if (issue.code === "unrecognized_keys") return `has an unknown key: ${issue.keys.join(", ")}`;
  return (issue.code === "invalid_union" && predicateOfUnion(issue)) || "is not valid";
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
function predicateOfUnion({ errors }: z.core.$ZodIssueInvalidUnion): string | null {
  const reports = errors.flatMap(([first]) => (first && !asksForNull(first) ? [first] : []));
  const [only, ...others] = new Set(reports.map(predicateOf));
  if (only !== undefined && others.length === 0) return only;
  const expected = reports.map((one) => (isOtherKind(one) && "expected" in one ? kinds[one.expected] : null));
  const [last, ...before] = [...new Set(expected)].reverse();
  if (!last || before.includes(null) || before.includes(undefined)) return null;
  return `is neither ${before.reverse().join(" nor ")} nor ${last}`;
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
