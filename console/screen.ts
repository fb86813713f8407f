// What a screen is: rows, columns, what can be done. The renderer knows nothing else of the organization.
import type { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import type { Line, Tone } from "./layout.ts";
import type { Session } from "./session.ts";

export type Facts = readonly (readonly [label: string, value: string])[];

/** What came of a deed. */
export interface Done {
  said: string;
  /** Shown until it is closed, and never again. */
  secret?: Facts;
  undo?: (ctx: Ctx) => Promise<unknown>;
}

export interface Field<T = unknown> {
  label: string;
  about: string;
  rule: z.ZodType<T>;
  /** What it begins with, as it is typed. */
  start?: string;
  /** Texts to choose among; with `open`, others are possible. */
  choices?: readonly string[];
  open?: boolean;
  /** From the text to what the rule reads, where names stand for numbers; throws where there is no such thing. */
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

/** A form ready to be filled in by the renderer. */
export interface Form {
  title: string;
  fields: Fields;
  /** True where only what differs is saved, and can be undone by saving what was there. */
  changes: boolean;
  submit(ctx: Ctx, values: Record<string, unknown>): Promise<Done>;
  preview?(ctx: Ctx, texts: Record<string, string>): readonly Line[];
}

/** A form that makes something of all its fields. */
export function form<F extends Fields>(
  spec: FormSpec<F> & { submit: (ctx: Ctx, values: Values<F>) => Promise<Done> },
): Form {
  return { ...spec, changes: false } as unknown as Form;
}

/** A form that changes what is there: `submit` is given the fields that differ, and again their old values to undo it. */
export function changeForm<F extends Fields>(
  spec: FormSpec<F> & { submit: (ctx: Ctx, values: Partial<Values<F>>) => Promise<Done> },
): Form {
  return { ...spec, changes: true } as unknown as Form;
}

export interface Column<R> {
  title: string;
  value: (row: R) => string;
  tone?: (row: R) => Tone;
  grow?: boolean;
  /** Left out first where there is too little room. */
  spare?: boolean;
  /** Never cut: of a time, half says nothing. */
  whole?: boolean;
  right?: boolean;
}

/** Something that can be done to a row, under a key. */
export interface Deed<R> {
  key: string;
  /** What it is called for this row; null where it cannot be done to it. */
  title: (row: R) => string | null;
  /** What is asked before; absent where nothing is lost. */
  confirm?: (row: R) => string | null;
  form?: (ctx: Ctx, row: R) => Form;
  run?: (ctx: Ctx, row: R) => Promise<Done>;
}

export interface Screen<R = unknown> {
  key: string;
  title: string;
  /** One sentence of what is listed here. */
  about: string;
  /** Said where there is nothing. */
  empty: string;
  rows: (session: Session) => readonly R[];
  id: (row: R) => number | string;
  columns: readonly Column<R>[];
  /** Lines above the list. */
  head?: (session: Session, width: number) => readonly Line[];
  /** What opening a row shows. */
  facts?: (session: Session, row: R) => Facts;
  /** A longer text below the facts. */
  text?: (session: Session, row: R) => string;
  create?: { title: string; form: (ctx: Ctx) => Form };
  edit?: (ctx: Ctx, row: R) => Form;
  /** Absent where every row can be edited. */
  mayEdit?: (row: R) => boolean;
  deeds?: readonly Deed<R>[];
  /** True where the newest comes first: who is at the top stays there. */
  follows?: boolean;
  /** Begins what the screen needs that costs something while it runs. */
  start?: (session: Session) => void;
}

/** Declares a screen; its rows' type matters to itself alone. */
export function screen<R>(spec: Screen<R>): Screen {
  return spec as unknown as Screen;
}
