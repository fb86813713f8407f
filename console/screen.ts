// What a screen consists of: rows, columns, actions. The renderer knows only these.
import type { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import type { ChartGrid } from "./chart.ts";
import { type Line, type Tone, timeText } from "./layout.ts";
import type { ConsoleSession } from "./session.ts";

/** With where its value leads, if it names a thing. */
export type Fact = readonly [label: string, value: string, to?: Jump | null];
export type RowFacts = readonly Fact[];

/** The outcome of an action. */
export interface ActionOutcome {
  message: string;
  /** Shown until it is closed, and never again. */
  secret?: RowFacts;
  /** Shown below the secret: a link as a QR code. */
  picture?: readonly Line[];
  /** What to know of the secret; by default, that it is shown once. */
  remark?: string;
  undo?: (ctx: Ctx) => Promise<unknown>;
}

/** A place to go to, with the row to select there. */
export interface Jump {
  /** The screen's title. */
  to: string;
  scope?: ScreenScope | null;
  select?: number | string;
  /** Whether the row is opened. */
  opens?: boolean;
  filter?: string;
  /** What is chosen there, by the names under which the session keeps it. */
  chosen?: Readonly<Record<string, string>>;
}

/** What a screen is limited to: the messages of a channel, the sessions of a person. */
export interface ScreenScope {
  id: number | string;
  name: string;
  /** The message around which others are shown. */
  near?: number;
}

/** An entry of a field's list. */
export interface Pick {
  noun: string;
  name: string;
  about: string;
  /** Its text in the field. */
  text: string;
  /** Whether it cannot be combined with others, such as "nobody". */
  isAlone?: boolean;
}

export interface Field<T = unknown> {
  label: string;
  about: string;
  rule: z.ZodType<T>;
  /** The initial text. */
  start?: string;
  /** Choices for the text; with `open`, other texts are allowed too. */
  choices?: readonly string[];
  open?: boolean;
  /** Turns the text into the rule's input, for example a name into an ID; throws if the name is unknown. */
  read?: (ctx: Ctx, text: string) => unknown;
  secret?: boolean;
  /** Whether each row has a value of its own, such as a name: forms for many rows leave it out. */
  isOwn?: boolean;
  /** The text that leaves each of many rows as it is. */
  keeps?: string;
  /** The users, groups or channels that the field may name, separated by commas; they are chosen from a list. */
  picks?: (ctx: Ctx) => readonly Pick[];
  /** The default, in words. */
  usual?: string;
  /** What a change of the text has as its effect, in a few words for a preview. */
  differs?: (ctx: Ctx, before: string, after: string) => readonly Line[];
  /** What a text means, in a few words below the field: the number of people that a permission covers. */
  means?: (ctx: Ctx, text: string) => string;
}

type Fields = Record<string, Field>;
type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

interface FormSpec<F extends Fields> {
  title: string;
  fields: F;
  /** Whether the first field's list to choose from is shown at once. */
  picksFirst?: boolean;
  preview?: (ctx: Ctx, texts: Record<keyof F, string>) => readonly Line[];
}

/** A form that the renderer can show. */
export interface ScreenForm {
  title: string;
  fields: Fields;
  /** Whether only changed fields are saved, which also makes undo possible. */
  changes: boolean;
  picksFirst?: boolean;
  submit(ctx: Ctx, values: Record<string, unknown>): Promise<ActionOutcome>;
  preview?(ctx: Ctx, texts: Record<string, string>): readonly Line[];
}

/** A form that submits all its fields. */
export function form<F extends Fields>(
  spec: FormSpec<F> & { submit: (ctx: Ctx, values: Values<F>) => Promise<ActionOutcome> },
): ScreenForm {
  return { ...spec, changes: false } as unknown as ScreenForm;
}

/** A form that changes something: `submit` gets the changed fields; to undo, it gets their old values. */
export function changeForm<F extends Fields>(
  spec: FormSpec<F> & { submit: (ctx: Ctx, values: Partial<Values<F>>) => Promise<ActionOutcome> },
): ScreenForm {
  return { ...spec, changes: true } as unknown as ScreenForm;
}

export interface Column<R> {
  title: string;
  value: (row: R) => string;
  tone?: (row: R) => Tone;
  grow?: boolean;
  /** Shortened first if there is too little room, and then hidden. */
  spare?: boolean;
  /** What it says instead where the columns do not fit. */
  brief?: (row: R) => string;
  /** Never cut, because half of it would say nothing (a time, for example). */
  whole?: boolean;
  right?: boolean;
  /** Wider only where there is room to spare. */
  most?: number;
  /** Changes all the time, as the position of a node does: no news of its row. */
  flows?: boolean;
  /** What to sort by; without it, the text. */
  order?: (row: R) => number | string;
}

/** A time in UTC. The year gives way to names; the details have it. */
export function timeColumn<R>(title: string, at: (row: R) => number | null, never = "never"): Column<R> {
  const value = (row: R) => {
    const seconds = at(row);
    return seconds === null ? never : timeText(seconds);
  };
  const brief = (row: R) => value(row).replace(/^\d{4}-/, "");
  return { title: `${title} (UTC)`, value, brief, whole: true };
}

/** A number, ordered as such. */
export function numberColumn<R>(
  title: string,
  number: (row: R) => number,
  words: (value: number) => string = String,
): Column<R> {
  return { title, value: (row) => words(number(row)), order: number, right: true };
}

/** An action on a row, with its key. */
export interface RowAction<R> {
  key: string;
  /** The action's name for this row; null if it does not apply. */
  title: (row: R) => string | null;
  /** The question to confirm; absent if nothing is lost. */
  confirm?: (row: R) => string | null;
  /** Whether it is for one row at a time, because it shows something that is to be copied. */
  isForOne?: boolean;
  form?: (ctx: Ctx, row: R) => ScreenForm;
  run?: (ctx: Ctx, row: R, session: ConsoleSession) => Promise<ActionOutcome>;
  go?: (row: R, session: ConsoleSession) => Jump | null;
}

/** An action of the screen as a whole, with its key. */
export interface ScreenAction {
  key: string;
  title: string;
  /** Whether the screen offers it while it is limited to this; by default, always. */
  isFor?: (scope: ScreenScope | null) => boolean;
  confirm?: (session: ConsoleSession) => string | null;
  form?: (session: ConsoleSession) => ScreenForm;
  run?: (session: ConsoleSession) => Promise<ActionOutcome>;
}

/** A part of what a screen shows above its list. */
export type HeadPart = Line | ChartGrid;

export type ScreenArea = "" | "People" | "Places" | "Organization" | "Server";

export interface Screen<R = unknown> {
  key: string;
  title: string;
  /** The heading under which the list of screens shows it. */
  area: ScreenArea;
  /** One sentence about the rows. */
  about: string;
  /** What one row is; rows of a screen with a noun are found by name from everywhere. */
  noun?: string;
  /** Shown if there are no rows. */
  empty: string;
  rows: (session: ConsoleSession, scope: ScreenScope | null) => readonly R[];
  id: (row: R) => number | string;
  /** The row's name in questions and paths; without it, the first column. */
  name?: (row: R) => string;
  columns: readonly Column<R>[];
  /** The list's part of a wide window's width, from 0 to 1; the details have the rest. */
  listShare?: number;
  /** What is above the list. */
  head?: (
    session: ConsoleSession,
    size: { width: number; height: number; scope: ScreenScope | null },
  ) => readonly HeadPart[];
  /** Details shown for an open row. */
  facts?: (session: ConsoleSession, row: R) => RowFacts;
  /** A longer text below the facts. */
  text?: (session: ConsoleSession, row: R) => string;
  /** Lines below the text. */
  picture?: (session: ConsoleSession, row: R) => readonly Line[];
  /** What 'y' copies. */
  copies?: (row: R) => string | null;
  /** The path of the row's page in the browser. */
  page?: (row: R) => string | null;
  /** Where enter leads, instead of to the details. */
  leads?: (row: R) => Jump | null;
  create?: { title: string; form: (ctx: Ctx, scope: ScreenScope | null) => ScreenForm };
  edit?: (ctx: Ctx, row: R) => ScreenForm;
  /** If absent, every row can be edited. */
  mayEdit?: (row: R) => boolean;
  rowActions?: readonly RowAction<R>[];
  actions?: readonly ScreenAction[];
  /** Whether new rows appear at the top; the selection then stays at the top. */
  follows?: boolean;
  /** Starts whatever the screen needs while it is open. */
  start?: (session: ConsoleSession, scope: ScreenScope | null) => void;
}

/** Declares a screen and hides its rows' type. */
export function screen<R>(spec: Screen<R>): Screen {
  return spec as unknown as Screen;
}
