// Reads and writes the hashes of URLs, in the form that existing clients use.
import { encodeOperand } from "@/text/quoting/narrow-url.ts";
import { operandOf, type Term, term } from "../../state/narrows.ts";
import type { Place } from "../../state/places.ts";
import type { State } from "../../state/state.ts";

/** Views that have no operand. */
const plain = ["inbox", "recent", "feed", "drafts", "scheduled", "reminders", "shortcuts", "search"] as const;
export type PlainView = (typeof plain)[number];

export type Route =
  | { view: PlainView }
  /** Messages of a narrow, opened near a message, at the first one of a day ("2026-11-20"), or at the first unread one. */
  | { view: "messages"; terms: readonly Term[]; near?: number; date?: string }
  /** The topics of a channel. */
  | { view: "topics"; channel: number }
  /** All channels, or the page of one. */
  | { view: "channels"; channel?: number; section?: string }
  | { view: "groups"; group?: number; section?: string }
  | { view: "person"; user: number }
  | { view: "settings"; section?: string }
  /** A section of the organization's administration, and the place in it: `["7"]` of people is the person with ID 7. */
  | { view: "organization"; section?: string; path?: readonly string[] };

/** Names in URLs, only for readers. */
export interface Names {
  channel(id: number): string | undefined;
  person(id: number): string | undefined;
}

const nameless: Names = { channel: () => undefined, person: () => undefined };

const otherNames: Record<string, PlainView> = {
  all_messages: "feed",
  "keyboard-shortcuts": "shortcuts",
  recent_topics: "recent",
};

/** Old names of operators that links still use. */
const operators: Record<string, string> = {
  stream: "channel",
  streams: "channels",
  subject: "topic",
  "pm-with": "dm",
  pm_with: "dm",
  "group-pm-with": "dm-including",
  from: "sender",
};

const people = ["dm", "dm-including", "sender"];

/** The route of a hash; null if it means nothing. */
export function parseHash(hash: string): Route | null {
  const parts = hash.replace(/^#/, "").split("/");
  const [view = "", ...rest] = parts;
  const isPlain = (name: string): name is PlainView => plain.some((one) => one === name);
  if (view === "narrow") return parseNarrow(rest);
  if (isPlain(view)) return { view };
  if (otherNames[view]) return { view: otherNames[view] };
  if (view === "topics") {
    const channel = idOf(rest[1] ?? "");
    return channel === null ? null : { view: "topics", channel };
  }
  if (view === "channels" || view === "streams") {
    const channel = idOf(rest[0] ?? "");
    return channel === null
      ? { view: "channels", ...section(rest[0]) }
      : { view: "channels", channel, ...section(rest[2]) };
  }
  if (view === "groups") {
    const group = idOf(rest[0] ?? "");
    return group === null
      ? { view: "groups", ...section(rest[0]) }
      : { view: "groups", group, ...section(rest[2]) };
  }
  if (view === "user") {
    const user = idOf(rest[0] ?? "");
    return user === null ? null : { view: "person", user };
  }
  if (view === "settings") return { view, ...section(rest[0]) };
  if (view === "organization") {
    const path = rest.slice(1).filter(Boolean).map(decodeOperand);
    return { view, ...section(rest[0]), ...(rest[0] && path.length > 0 ? { path } : {}) };
  }
  return null;
}

const section = (name: string | undefined) => (name ? { section: decodeOperand(name) } : {});

function parseNarrow(parts: readonly string[]): Route | null {
  const terms: Term[] = [];
  let near: number | undefined;
  let date: string | undefined;
  for (let i = 0; i < parts.length; i += 2) {
    const given = decodeOperand(parts[i] ?? "");
    const negated = given.startsWith("-");
    const named = negated ? given.slice(1) : given;
    const operator = operators[named] ?? named;
    const value = parts[i + 1];
    if (operator === "" || value === undefined) return null;
    const operand = readOperand(operator, decodeOperand(value));
    if (operator === "near" && !negated && idOf(operand) !== null) near = Number(operand);
    else if (operator === "date" && !negated && isDay(operand)) date = operand;
    else terms.push(term(operator, operand, negated));
  }
  return {
    view: "messages",
    terms,
    ...(near === undefined ? {} : { near }),
    ...(date === undefined ? {} : { date }),
  };
}

/** Whether this is a day of the calendar, as "2026-11-20". */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** Channels and people are identified by ID; the rest of the operand is for readers. */
function readOperand(operator: string, text: string): string {
  if (operator === "channel") return /^(\d+)(-.*)?$/s.exec(text)?.[1] ?? text;
  if (people.includes(operator)) return /^([\d,]+)(-.*)?$/s.exec(text)?.[1] ?? text;
  if (operator === "is" && text === "private") return "dm";
  return text;
}

function idOf(text: string): number | null {
  const found = /^(\d{1,15})(-.*)?$/s.exec(decodeOperand(text))?.[1];
  return found === undefined ? null : Number(found);
}

export function hashOf(route: Route, names: Names = nameless): string {
  switch (route.view) {
    case "messages":
      return `#narrow${narrowPath(route, names)}`;
    case "topics":
      return `#topics/channel/${channelSlug(route.channel, names)}`;
    case "channels":
      if (route.channel === undefined) return joinPath("#channels", route.section);
      return joinPath(
        `#channels/${route.channel}/${encodeOperand(names.channel(route.channel) ?? "-")}`,
        route.section,
      );
    case "groups":
      if (route.group === undefined) return joinPath("#groups", route.section);
      return joinPath(`#groups/${route.group}/-`, route.section);
    case "person":
      return `#user/${route.user}`;
    case "settings":
      return joinPath("#settings", route.section);
    case "organization":
      return [route.section, ...(route.path ?? [])].reduce(joinPath, "#organization");
    case "shortcuts":
      return "#keyboard-shortcuts";
    default:
      return `#${route.view}`;
  }
}

const joinPath = (path: string, name: string | undefined) => (name ? `${path}/${encodeOperand(name)}` : path);

function narrowPath({ terms, near, date }: Extract<Route, { view: "messages" }>, names: Names): string {
  const path = terms.map(
    ({ operator, operand, negated }) =>
      `/${encodeOperand(`${negated ? "-" : ""}${operator}`)}/${slugOf(operator, operand, names)}`,
  );
  if (near !== undefined) path.push(`/near/${near}`);
  if (date !== undefined) path.push(`/date/${date}`);
  return path.join("");
}

function slugOf(operator: string, operand: string, names: Names): string {
  if (operator === "channel" && /^\d+$/.test(operand)) return channelSlug(Number(operand), names);
  if (people.includes(operator) && /^[\d,]+$/.test(operand)) {
    const [id, ...others] = operand.split(",");
    const name = others.length === 0 ? names.person(Number(id)) : "group";
    return name === undefined ? operand : `${operand}-${encodeOperand(name.replaceAll(" ", "-"))}`;
  }
  return encodeOperand(operand);
}

function channelSlug(id: number, names: Names): string {
  const name = names.channel(id);
  return name === undefined ? String(id) : `${id}-${encodeOperand(name.replaceAll(" ", "-"))}`;
}

// Wire: `.` stands for `%`, so that browsers leave the fragment alone; links typed by hand may use `%` itself.
function decodeOperand(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\.(?=[0-9A-Fa-f]{2})/g, "%"));
  } catch {
    return text;
  }
}

export function placeRoute(place: Place, near?: number): Extract<Route, { view: "messages" }> {
  const at = near === undefined ? {} : { near };
  if ("user_ids" in place) return { view: "messages", terms: [term("dm", place.user_ids.join())], ...at };
  return { view: "messages", terms: [term("channel", place.stream_id), term("topic", place.topic)], ...at };
}

/** The conversation of a narrow, if it is exactly one: messages go there. */
export function placeOfTerms(terms: readonly Term[]): Place | null {
  const plainTerms = terms.filter(({ operator }) => operator !== "with");
  if (plainTerms.some(({ negated }) => negated)) return null;
  const [channel, topic, dm] = ["channel", "topic", "dm"].map((operator) => operandOf(plainTerms, operator));
  if (plainTerms.length === 2 && channel !== undefined && topic !== undefined && /^\d+$/.test(channel))
    return { stream_id: Number(channel), topic };
  if (plainTerms.length === 1 && dm !== undefined && /^\d+(,\d+)*$/.test(dm))
    return {
      user_ids: dm
        .split(",")
        .map(Number)
        .sort((a, b) => a - b),
    };
  return null;
}

/**
 * The same route with the IDs of the channels that it names, as far as the person knows them. Old links have names where newer ones
 * have IDs: `#narrow/stream/launch/topic/countdown`.
 */
export function withChannelIds(route: Route, { streams, subscriptions }: State): Route {
  if (route.view !== "messages") return route;
  const isNamed = (operator: string, operand: string) => operator === "channel" && !/^\d+$/.test(operand);
  if (!route.terms.some(({ operator, operand }) => isNamed(operator, operand))) return route;
  const known = Object.values({ ...streams, ...subscriptions });
  const idOf = (name: string) =>
    known.find((one) => one.name.toLowerCase() === name.toLowerCase())?.stream_id;
  const terms = route.terms.map((term) =>
    isNamed(term.operator, term.operand)
      ? { ...term, operand: String(idOf(term.operand) ?? term.operand) }
      : term,
  );
  return { ...route, terms };
}
