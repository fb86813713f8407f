// What a screen consists of: rows, columns, actions. The renderer knows nothing else of the organization.
import type { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import type { Line, Tone } from "./layout.ts";
import type { Session } from "./session.ts";

export type Facts = readonly (readonly [label: string, value: string])[];

/** The outcome of an action. */
export interface Outcome {
  message: string;
  /** Shown until it is closed, and never again. */
  secret?: Facts;
  undo?: (ctx: Ctx) => Promise<unknown>;
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
}

type Fields = Record<string, Field>;
type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

interface FormSpec<F extends Fields> {
  title: string;
  fields: F;
  preview?: (ctx: Ctx, texts: Record<keyof F, string>) => readonly Line[];
}

/** A form that the renderer can show. */
export interface Form {
  title: string;
  fields: Fields;
  /** Whether only changed fields are saved, which also makes undo possible. */
  changes: boolean;
  submit(ctx: Ctx, values: Record<string, unknown>): Promise<Outcome>;
  preview?(ctx: Ctx, texts: Record<string, string>): readonly Line[];
}

/** A form that submits all its fields. */
export function form<F extends Fields>(
  spec: FormSpec<F> & { submit: (ctx: Ctx, values: Values<F>) => Promise<Outcome> },
): Form {
  return { ...spec, changes: false } as unknown as Form;
}

/** A form that changes something: `submit` gets the changed fields; to undo, it gets their old values. */
export function changeForm<F extends Fields>(
  spec: FormSpec<F> & { submit: (ctx: Ctx, values: Partial<Values<F>>) => Promise<Outcome> },
): Form {
  return { ...spec, changes: true } as unknown as Form;
}

export interface Column<R> {
  title: string;
  value: (row: R) => string;
  tone?: (row: R) => Tone;
  grow?: boolean;
  /** Hidden first if there is too little room. */
  spare?: boolean;
  /** Never cut, because half of it would say nothing (a time, for example). */
  whole?: boolean;
  right?: boolean;
}

/** An action on a row, with its key. */
export interface RowAction<R> {
  key: string;
  /** The action's name for this row; null if it does not apply. */
  title: (row: R) => string | null;
  /** The question to confirm; absent if nothing is lost. */
  confirm?: (row: R) => string | null;
  form?: (ctx: Ctx, row: R) => Form;
  run?: (ctx: Ctx, row: R) => Promise<Outcome>;
}

export interface Screen<R = unknown> {
  key: string;
  title: string;
  /** One sentence about the rows. */
  about: string;
  /** Shown if there are no rows. */
  empty: string;
  rows: (session: Session) => readonly R[];
  id: (row: R) => number | string;
  columns: readonly Column<R>[];
  /** Lines above the list. */
  head?: (session: Session, width: number) => readonly Line[];
  /** Details shown for an open row. */
  facts?: (session: Session, row: R) => Facts;
  /** A longer text below the facts. */
  text?: (session: Session, row: R) => string;
  create?: { title: string; form: (ctx: Ctx) => Form };
  edit?: (ctx: Ctx, row: R) => Form;
  /** If absent, every row can be edited. */
  mayEdit?: (row: R) => boolean;
  rowActions?: readonly RowAction<R>[];
  /** Whether new rows appear at the top; the selection then stays at the top. */
  follows?: boolean;
  /** Starts whatever the screen needs while it is open. */
  start?: (session: Session) => void;
}

/** Declares a screen and hides its rows' type. */
export function screen<R>(spec: Screen<R>): Screen {
  return spec as unknown as Screen;
}
