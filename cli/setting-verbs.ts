// The two commands of every list of settings: list all, set one.
import { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { choosing, operand, type Values } from "./args.ts";
import { type Command, command } from "./command.ts";
import { table } from "./output.ts";
import type { retentionFlags } from "./shorter-retention.ts";
import { checked } from "./values.ts";

interface Verb {
  name: string;
  summary: string;
  about?: string;
  isUnaudited?: true;
  examples: readonly string[];
}

interface Kept<N extends string> {
  list: Verb;
  set: Verb;
  names: readonly N[];
  table: Record<N, { rule: z.ZodType; about: string }>;
  read: (ctx: Ctx) => Record<N, unknown>;
  write: (ctx: Ctx, changes: Record<string, unknown>) => Promise<unknown>;
  /** Flags of the command that sets one, and what is done with them around the change. */
  around?: {
    flags: typeof retentionFlags;
    run: (
      ctx: Ctx,
      changes: Record<string, unknown>,
      given: Given,
      write: () => Promise<unknown>,
    ) => Promise<void>;
  };
}

type Given = Values<typeof retentionFlags>;

const noFlags: Partial<typeof retentionFlags> = {};

const shape = z.object({ name: z.string(), value: z.unknown(), about: z.string() });

export function settingVerbs<N extends string>(kept: Kept<N>): Command[] {
  const { list, set, names, table: rows, read, write, around } = kept;
  return [
    command({
      ...list,
      isUnaudited: true,
      args: {},
      result: z.array(shape),
      run: (ctx) => {
        const values = read(ctx);
        return names.map((name) => ({ name, value: values[name], about: rows[name].about }));
      },
      print: (settings) =>
        table(
          ["SETTING", "VALUE", "WHAT IT IS"],
          settings.map(({ name, value, about }) => [name, valueText(value), about]),
        ),
    }),

    command({
      ...set,
      args: {
        name: choosing(operand("SETTING", z.string(), `its name, as 'confab ${list.name}' shows it`), names),
        value: operand("VALUE", z.string(), "its value, as JSON or plain text; null to unset it"),
        ...(around?.flags ?? noFlags),
      },
      result: shape.omit({ about: true }),
      run: async (ctx, { name, value, ...given }) => {
        const known = names.find((one) => one === name);
        if (known === undefined)
          fail("BAD_REQUEST", `There is no setting '${name}'; 'confab ${list.name}' lists them.`);
        const changes = { [known]: checked(rows[known].rule, known, typed(value)) };
        if (around)
          await around.run(ctx, changes, { now: false, yes: false, ...(given as Partial<Given>) }, () =>
            write(ctx, changes),
          );
        else await write(ctx, changes);
        return { name: known, value: read(ctx)[known] };
      },
      print: ({ name, value }) => `${name}: ${valueText(value)}`,
    }),
  ];
}

/** The value if it is JSON, else the text itself. */
function typed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Text as it is, other values as JSON. */
function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
