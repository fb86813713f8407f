// Settings as a table: each row gives the stored value's rule, its default, and what it is for. Storage is sparse.
import type { z } from "zod";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "./cache.ts";

/** What people read of a setting. */
export interface Described {
  readonly about: string;
  /** The heading under which people look for it. */
  readonly area?: string;
  /** Its values in words; numbers may have others than these. */
  readonly values?: readonly (readonly [value: string | number, word: string])[];
  /** What its value is, where neither `values` nor the rule says so. A time is in seconds. */
  readonly form?: string;
}

export interface Setting<T = unknown> extends Described {
  readonly rule: z.ZodType<T>;
  readonly fallback: T;
}

export function setting<T>(rule: z.ZodType<T>, fallback: T, about: string | Described): Setting<T> {
  return { rule, fallback, ...(typeof about === "string" ? { about } : about) };
}

export type SettingTable = Record<string, Setting>;
export type SettingValues<T extends SettingTable> = {
  [K in keyof T]: T[K] extends Setting<infer V> ? V : never;
};

/** Settings that have one value each. */
export interface Settings<T extends SettingTable> {
  readonly table: T;
  /** All values, defaults filled in. */
  read(reads: Reads): Readonly<SettingValues<T>>;
  write<K extends keyof T & string>(tx: Tx, name: K, value: SettingValues<T>[K]): void;
}

/** Settings that have a value for each owner, by ID. */
export interface OwnedSettings<T extends SettingTable> {
  readonly table: T;
  /** All values of one owner, defaults filled in. */
  read(ctx: Reads, ownerId: number): Readonly<SettingValues<T>>;
  write<K extends keyof T & string>(tx: Tx, ownerId: number, name: K, value: SettingValues<T>[K]): void;
}

/** Declares the settings of a scope that are the same for everyone; stored under owner 0. */
export function settings<T extends SettingTable>(scope: string, table: T): Settings<T> {
  const { read, write } = defineOwnedSettings(scope, table);
  return {
    table,
    read: (reads) => read(reads, 0),
    write: (tx, name, value) => write(tx, 0, name, value),
  };
}

/** Declares the settings of a scope that differ by owner. */
export function defineOwnedSettings<T extends SettingTable>(scope: string, table: T): OwnedSettings<T> {
  const fallbacks = Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row.fallback]));
  const stored = cache(["settings"], ({ db }, ownerId: number) => {
    const rows = db.all<{ name: string; value: string }>(
      "SELECT name, value FROM settings WHERE scope = ? AND owner_id = ?",
      scope,
      ownerId,
    );
    const values = rows.filter((row) => row.name in table).map((row) => [row.name, JSON.parse(row.value)]);
    return Object.freeze({ ...fallbacks, ...Object.fromEntries(values) }) as SettingValues<T>;
  });

  return {
    table,
    read: stored,
    write(tx, ownerId, name, value) {
      tx.run(
        "INSERT INTO settings (scope, owner_id, name, value) VALUES (?, ?, ?, ?) " +
          "ON CONFLICT (scope, owner_id, name) DO UPDATE SET value = excluded.value",
        scope,
        ownerId,
        name,
        JSON.stringify(value),
      );
    },
  };
}
