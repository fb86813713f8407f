// What a screen consists of: rows, columns, actions. The renderer knows only these.
import type { z } from "zod";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { ChartGrid } from "./chart.ts";
import { type Line, type Tone, timeText } from "./layout.ts";
import type { ConsoleSession, ScreenSession } from "./session.ts";

/** At the server's machine, a value; from elsewhere, a promise of one. */
export type Later<T> = T | Promise<T>;

/**
 * Who is offered something by a server elsewhere; at its machine, everything is offered. Offering is all that it decides: the core
 * checks each change.
 */
export type Need = "machine" | "admin" | "moderator" | "anyone" | GrantName<"realm">;

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

/** What a field's rule takes, in words, and how many characters. */
export interface FieldLimits {
  text: string;
  most: number | null;
}

export interface Field<T = unknown> {
  label: string;
  about: string;
  rule: z.ZodType<T>;
  /** The initial text. */
  start?: string;
  /** Choices for the text; with `open`, other texts are allowed too. A function, if listing them takes a while. */
  choices?: readonly string[] | (() => readonly string[]);
  open?: boolean;
  /** Turns the text into the rule's input, for example a name into an ID; throws if the name is unknown. */
  read?: (ctx: Ctx, text: string) => unknown;
  secret?: boolean;
  /** Whether each row has a value of its own, such as a name: forms for many rows leave it out. */
  isOwn?: boolean;
  /** The text that leaves each of many rows as it is. */
  keeps?: string;
  /** Whether the text is the path of a file of this machine, which is sent to a server elsewhere. */
  isFile?: boolean;
  /** What the server's rule takes, where the rule itself is not here. */
  takes?: FieldLimits;
  /** The users, groups or channels that the field may name, separated by commas; they are chosen from a list. */
  picks?: (ctx: Ctx) => Later<readonly Pick[]>;
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

export interface RemarksRequest {
  texts: Readonly<Record<string, string>>;
  /** The field with the focus. */
  current: string;
  /** The fields whose problems are to be said. */
  checked: readonly string[];
}

/** What a form says of the texts in it. */
export interface FormRemarks {
  /** What is wrong, by field. */
  problems: Readonly<Record<string, string>>;
  /** What the text of the current field means, and completions of it. */
  means: string;
  hints: readonly string[];
  /** The effect of each changed field. */
  differs: Readonly<Record<string, readonly Line[]>>;
  preview: readonly Line[];
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
  /** What a server elsewhere last said of the texts; it is asked about new ones. */
  remarks?(asked: RemarksRequest): FormRemarks;
  /** The same form of a server elsewhere, for another row. */
  forRow?(row: unknown): ScreenForm;
  /** Throws if that server would not take these texts. */
  check?(texts: Readonly<Record<string, string>>): Promise<void>;
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
export interface RowAction<R, S extends ScreenSession = ScreenSession> {
  key: string;
  /** By default, administrators; anyone, if it only goes somewhere. */
  need?: Need;
  /** The action's name for this row; null if it does not apply. */
  title: (row: R) => string | null;
  /** The question to confirm; absent if nothing is lost. */
  confirm?: (row: R) => string | null;
  /** Whether it is for one row at a time, because it shows something that is to be copied. */
  isForOne?: boolean;
  form?: (ctx: Ctx, row: R) => Later<ScreenForm>;
  run?: (ctx: Ctx, row: R, session: S) => Promise<ActionOutcome>;
  /** The screen that it shows, limited to the row. */
  opens?: string;
}

/** An action of the screen as a whole, with its key. */
export interface ScreenAction<S extends ScreenSession = ScreenSession> {
  key: string;
  title: string;
  /** By default, administrators. */
  need?: Need;
  /** Whether the screen offers it while it is limited to this; by default, always. */
  isFor?: (scope: ScreenScope | null) => boolean;
  confirm?: (session: S) => string | null;
  form?: (session: S) => Later<ScreenForm>;
  run?: (session: S) => Promise<ActionOutcome>;
}

/** A part of what a screen shows above its list. */
export type HeadPart = Line | ChartGrid;

export type ScreenArea = "" | "People" | "Places" | "Organization" | "Server";

/** How much of a list from elsewhere has come. */
export interface ListProgress {
  /** Null until it is known. */
  total: number | null;
  isWhole: boolean;
}

export interface Screen<R = unknown, S extends ScreenSession = ScreenSession> {
  key: string;
  title: string;
  /** By default, anyone who may read its rows. */
  need?: Need;
  /** The heading under which the list of screens shows it. */
  area: ScreenArea;
  /** One sentence about the rows. */
  about: string;
  /** What one row is; rows of a screen with a noun are found by name from everywhere. */
  noun?: string;
  /** Shown if there are no rows. */
  empty: string;
  rows: (session: S, scope: ScreenScope | null) => readonly R[];
  /** Null where all rows are read at once. */
  progress?: (session: S, scope: ScreenScope | null) => ListProgress;
  /** The row with an ID, if it can be found without reading all. */
  find?: (session: S, id: number | string) => R | null;
  id: (row: R) => number | string;
  /** The row's name in questions and paths; without it, the first column. */
  name?: (row: R) => string;
  columns: readonly Column<R>[];
  /** The list's part of a wide window's width, from 0 to 1; the details have the rest. */
  listShare?: number;
  /** What is above the list. */
  head?: (
    session: S,
    size: { width: number; height: number; scope: ScreenScope | null },
  ) => readonly HeadPart[];
  /** Details shown for an open row. */
  facts?: (session: S, row: R) => RowFacts;
  /** A longer text below the facts. */
  text?: (session: S, row: R) => string;
  /** Lines below the text. */
  picture?: (session: S, row: R) => readonly Line[];
  /** What 'y' copies. */
  copies?: (row: R) => string | null;
  /** The path of the row's page in the browser. */
  page?: (row: R) => string | null;
  /** Where enter leads, instead of to the details. */
  leads?: (row: R) => Jump | null;
  create?: { title: string; need?: Need; form: (ctx: Ctx, scope: ScreenScope | null) => Later<ScreenForm> };
  edit?: (ctx: Ctx, row: R) => Later<ScreenForm>;
  /** By default, administrators. */
  editNeed?: Need;
  /** If absent, every row can be edited. */
  mayEdit?: (row: R) => boolean;
  rowActions?: readonly RowAction<R, S>[];
  actions?: readonly ScreenAction<S>[];
  /** Whether new rows appear at the top; the selection then stays at the top. */
  follows?: boolean;
  /** Starts whatever the screen needs while it is open. */
  start?: (session: S, scope: ScreenScope | null) => void;
  /** Whether the list stands still. */
  isStopped?: (session: S) => boolean;
  /** How often a list from elsewhere is read again, besides when events come. */
  everySeconds?: number;
}

/** Declares a screen of the core, and hides the type of its rows and of its session. */
export function screen<R>(spec: Screen<R, ConsoleSession>): Screen {
  return spec as unknown as Screen;
}
