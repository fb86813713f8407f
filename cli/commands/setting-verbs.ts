// The two commands of every list of settings: list all, set one.
import { z } from "zod";
import {
  aboutText,
  none,
  readSetting,
  takesText,
  valueText,
  type WordedSetting,
} from "@/foundation/realm/words.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type ArgValues, choosing, operand } from "../args.ts";
import { type Command, command } from "../command.ts";
import { table } from "../output.ts";
import type { retentionFlags } from "../shorter-retention.ts";
import { allChannels, channelNames } from "../values.ts";

interface Verb {
  name: string;
  summary: string;
  about?: string;
  isUnaudited?: true;
  examples: readonly string[];
}

interface SettingGroup<N extends string> {
  list: Verb;
  set: Verb;
  names: readonly N[];
  table: Record<N, Omit<WordedSetting, "name">>;
  read: (ctx: Ctx) => Record<N, unknown>;
  write: (ctx: Ctx, changes: Record<string, unknown>) => Promise<unknown>;
  /** Flags of the command that sets one, and what is done with them around the change. */
  around?: {
    flags: typeof retentionFlags;
    run: (
      ctx: Ctx,
      changes: Record<string, unknown>,
      given: RetentionFlags,
      write: () => Promise<unknown>,
    ) => Promise<void>;
  };
}

type RetentionFlags = ArgValues<typeof retentionFlags>;

const noFlags: Partial<typeof retentionFlags> = {};

const shape = z.object({
  name: z.string(),
  value: z.unknown(),
  /** The value as people read it. */
  words: z.string().optional(),
  about: z.string(),
});

export function settingVerbs<N extends string>(kept: SettingGroup<N>): Command[] {
  const { list, set, names, table: rows, read, write, around } = kept;
  return [
    command({
      ...list,
      isUnaudited: true,
      args: {},
      result: z.array(shape),
      run: (ctx) => {
        const values = read(ctx);
        const channelOf = channelNames(ctx);
        return names.map((name) => ({
          name,
          value: values[name],
          words: wordsOf({ name, ...rows[name] }, values[name], channelOf),
          about: aboutText(rows[name]),
        }));
      },
      print: (settings) =>
        table(
          ["SETTING", "VALUE", "WHAT IT IS"],
          settings.map(({ name, value, words, about }) => [name, formatValue(value, words), about]),
        ),
    }),

    command({
      ...set,
      args: {
        name: choosing(operand("SETTING", z.string(), `its name, as 'confab ${list.name}' shows it`), names),
        value: operand("VALUE", z.string(), `its value, in the words of 'confab ${list.name}' or as JSON`),
        ...(around?.flags ?? noFlags),
      },
      result: shape.omit({ about: true }),
      run: async (ctx, { name, value, ...given }) => {
        const known = names.find((one) => one === name);
        if (known === undefined)
          fail("BAD_REQUEST", `There is no setting '${name}'; 'confab ${list.name}' lists them.`);
        const setting = { name: known, ...rows[known] };
        const changes = { [known]: settingValue(ctx, setting, value) };
        if (around)
          await around.run(
            ctx,
            changes,
            { now: false, yes: false, ...(given as Partial<RetentionFlags>) },
            () => write(ctx, changes),
          );
        else await write(ctx, changes);
        const now = read(ctx)[known];
        return { name: known, value: now, words: wordsOf(setting, now, channelNames(ctx)) };
      },
      print: ({ name, value, words }) => `${name}: ${formatValue(value, words)}`,
    }),
  ];
}

function settingValue(ctx: Ctx, setting: WordedSetting, text: string): unknown {
  if (setting.form === "channel") return channelSetting(ctx, setting, text);
  const found = readSetting(setting, text);
  return "problem" in found ? fail("BAD_REQUEST", `${found.problem.replace(/\.$/, "")}.`) : found.value;
}

/** The ID of the channel that a setting is to name: what may be an ID is one, if there is such a channel. */
function channelSetting(ctx: Ctx, setting: WordedSetting, text: string): number {
  const said = text.trim().replace(/^#/, "");
  if (["", "-1", "null", none].includes(said.toLowerCase())) return -1;
  const all = allChannels(ctx);
  const found =
    all.find(({ stream_id }) => String(stream_id) === said) ??
    all.find(({ name }) => name.toLowerCase() === said.toLowerCase());
  const takes = takesText(setting);
  return (
    found?.stream_id ?? fail("BAD_REQUEST", `There is no channel '${text}'. ${setting.name} takes: ${takes}.`)
  );
}

function wordsOf(setting: WordedSetting, value: unknown, channelOf: (id: number) => string): string {
  if (setting.form === "channel") return value === -1 ? none : channelOf(Number(value));
  return valueText(setting, value) || (value === null ? none : "");
}

/** The words, and the value itself where it is written in another way. An older server gives no words. */
function formatValue(value: unknown, words: string | undefined): string {
  const raw = typeof value === "string" ? value : JSON.stringify(value);
  if (words === undefined || words === raw) return raw;
  return typeof value === "boolean" ? words : `${words} (${raw})`;
}
