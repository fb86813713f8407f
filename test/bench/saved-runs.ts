// Keeps a run of the bench in a file, for a later --compare.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { z } from "zod";
import type { Row } from "./table.ts";

const limit = z.union([z.object({ ratio: z.number() }), z.object({ most: z.number() })]);
const run = z.object({
  /** Runs that were saved before the machine was noted have none. */
  machine: z.string().optional(),
  quick: z.boolean(),
  rows: z.array(
    z.object({
      what: z.string(),
      unit: z.string(),
      base: z.number().nullable(),
      confab: z.number(),
      limit: limit.nullable(),
    }),
  ),
});
export type SavedRun = z.infer<typeof run>;

export const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? "an unknown CPU"}`;

export interface Run {
  quick: boolean;
  rows: readonly Row[];
  failures: readonly { part: string; message: string }[];
}

export function written(made: Run): string {
  return JSON.stringify({ machine, ...made }, null, 2);
}

/** Throws if the file cannot be written. */
export function save(file: string, made: Run): void {
  try {
    writeFileSync(file, written(made));
  } catch (error) {
    throw new Error(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Throws if the file cannot be read, or holds no run of these sizes. */
export function readSaved(file: string, { quick }: { quick: boolean }): SavedRun {
  const saved = run.safeParse(parsed(file));
  if (!saved.success) throw new Error(`${file} is not a run that --save kept.`);
  if (saved.data.quick === quick) return saved.data;
  throw new Error(`${file} is of a run ${quick ? "without" : "with"} --quick: its sizes are others.`);
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Why figures may differ although the code is the same; empty on the same machine. */
export function otherMachine(saved: SavedRun): string {
  if (saved.machine === machine) return "";
  const theirs = saved.machine ?? "a machine that was not noted";
  return `That run was on ${theirs}, this one on ${machine}: compare ratios rather than times.\n`;
}
