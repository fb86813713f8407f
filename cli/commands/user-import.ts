// Adding the people of a CSV file.
import { createReadStream } from "node:fs";
import { type CsvError, parse } from "csv-parse";
import { z } from "zod";
import { createUsers, type RefusedPerson } from "@/foundation/accounts/actions-many.ts";
import { roleName, roles } from "@/foundation/permissions/schema.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, englishOnly, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { wordingAfter } from "@/kernel/lib/wording.ts";
import { accountWithKey, accountWithKeyShape } from "../accounts.ts";
import { flag } from "../args.ts";
import { command } from "../command.ts";
import { fileOperand, locateFile } from "../files.ts";
import { failedShape, reasonsText } from "../many.ts";
import { isRemote } from "../prompts.ts";
import { streams } from "../streams.ts";
import { bringIn, placeNames, placesFinder } from "./user-import-places.ts";

const places = z.string().transform(placeNames).default([]);

const columns = {
  email: emailAddress,
  name: fullName,
  role: z
    .string()
    .toLowerCase()
    .transform((text) => text || "member")
    .pipe(roleName)
    .default("member"),
  channels: places,
  groups: places,
};
type Column = keyof typeof columns;
const needed: readonly Column[] = ["email", "name"];
const maxBytes = 16_000_000;
const maxPeople = 50_000;

interface CsvLine {
  line: number;
  record: Record<string, string>;
}

interface ListedPerson {
  line: number;
  email: string;
  full_name: string;
  role: (typeof roles)[keyof typeof roles];
  places: ReturnType<ReturnType<typeof placesFinder>>["places"];
}

interface Problem {
  line: number;
  reason: string;
}

export default [
  command({
    name: "user import",
    isUnaudited: ({ dry_run }) => dry_run,
    summary: "Add the people of a CSV file, all or nobody",
    about:
      "Adds the people of a CSV file with the columns email and name; role, if some are not members; and channels and groups, " +
      "for what they come into besides the default channels: names or IDs, separated by semicolons. The first line names the columns, " +
      "'email,name,role,channels,groups', and a person's is like 'ada@example.com,Ada Byron,moderator,design;site,engineers'. Other " +
      "columns are refused. If any line is wrong, nobody is added, and the error names the lines. With --json " +
      "everyone's API key is printed; people without it get in by 'confab user login-link' or by a forgotten password.",
    examples: [
      "confab user import people.csv --dry-run",
      "confab user import people.csv",
      "confab user import - < people.csv",
    ],
    args: {
      file: fileOperand("the CSV file, in UTF-8", { maxBytes, takesInput: true }),
      dry_run: flag(z.boolean().default(false), "check everything, and add nobody"),
    },
    result: z.object({
      dry_run: z.boolean(),
      count: z.int(),
      people: z.array(accountWithKeyShape),
      failed: failedShape,
    }),
    run: async (ctx, { file, dry_run }) => {
      const people = await checkPeople(ctx, await linesOf(file));
      const made = await createUsers(ctx, {
        people: people.map(({ line: _, places: __, ...person }) => person),
        isTrial: dry_run,
        isServing: isRemote(),
      }).catch((error: unknown) => refuseAll(problemsIn(error, people)));
      const settled = made.map(({ user }, i) => ({ user_id: user.user_id, places: people[i]?.places ?? [] }));
      const failed = await bringIn(ctx, settled);
      return { dry_run, count: people.length, people: made.map(accountWithKey), failed };
    },
    print: ({ dry_run, count }) => {
      const people = count === 1 ? "One person" : `${count.toLocaleString("en")} people`;
      return dry_run ? `${people} can be added. Nobody was, yet.` : `Added ${people.toLowerCase()}.`;
    },
    failure: ({ failed }) =>
      failed.length === 0 ? null : `They could not come into all places: ${reasonsText(failed)}.`,
  }),
];

async function linesOf(file: string): Promise<CsvLine[]> {
  const isInput = file === "-" && !isRemote();
  const source = isInput ? streams().input() : createReadStream(locateFile(file, maxBytes).path);
  let bytes = 0;
  const parser = parse({
    bom: true,
    columns: columnsOf,
    info: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: 10_000,
  });
  source.on("data", (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes)
      parser.destroy(
        new AppError("BAD_REQUEST", englishOnly(`${file} is larger than ${maxBytes / 1_000_000} MB.`)),
      );
  });
  source.on("error", (error) => parser.destroy(error));
  const lines: CsvLine[] = [];
  try {
    for await (const { record, info } of source.pipe(parser)) lines.push({ line: info.lines, record });
  } catch (error) {
    return unreadable(file, error as CsvError);
  }
  if (lines.length === 0)
    fail("BAD_REQUEST", `${file} holds nobody: the first line names the columns, such as email,name,role.`);
  if (lines.length > maxPeople)
    fail("BAD_REQUEST", `${file} holds more than ${maxPeople.toLocaleString("en")} people.`);
  return lines;
}

function unreadable(file: string, error: { message: string; lines?: number }): never {
  if (error instanceof AppError) throw error;
  const line = error.lines === undefined ? "" : ` line ${error.lines}:`;
  return fail(
    "BAD_REQUEST",
    `${file} cannot be read as CSV:${line} ${(error.message.split("\n")[0] ?? "").replace(/:? on line \d+$/, "")}.`,
  );
}

/** The columns that the first line names. */
function columnsOf(names: string[]): string[] {
  const found = names.map((name) => name.toLowerCase().replace(/^full[ _]name$/, "name"));
  const unknown = found.filter((name) => !(name in columns));
  if (unknown.length > 0)
    fail(
      "BAD_REQUEST",
      `Line 1: unknown column '${unknown[0]}'; the columns are email, name, role, channels and groups.`,
    );
  const missing = needed.filter((name) => !found.includes(name));
  if (missing.length > 0)
    fail("BAD_REQUEST", `Line 1: the column '${missing[0]}' is missing; the first line names the columns.`);
  if (new Set(found).size < found.length) fail("BAD_REQUEST", "Line 1: a column is named twice.");
  return found;
}

/** Lets others in between while many lines are checked. */
const linesAtOnce = 500;

async function checkPeople(ctx: Ctx, lines: readonly CsvLine[]): Promise<ListedPerson[]> {
  const checks = { problems: [] as Problem[], first: new Map<string, number>(), find: placesFinder(ctx) };
  const people: ListedPerson[] = [];
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    people.push(...checkLines(lines.slice(from, from + linesAtOnce), checks));
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  if (checks.problems.length > 0) refuseAll(checks.problems);
  return people;
}

interface Checks {
  problems: Problem[];
  /** The first line of each address. */
  first: Map<string, number>;
  find: ReturnType<typeof placesFinder>;
}

function checkLines(lines: readonly CsvLine[], { problems, first, find }: Checks): ListedPerson[] {
  return lines.flatMap(({ line, record }) => {
    const person: Record<string, unknown> = {};
    for (const [name, rule] of Object.entries(columns)) {
      const read = rule.safeParse(record[name]);
      if (!read.success) problems.push({ line, reason: wordingAfter(name, read.error.issues[0]) });
      person[name] = read.data;
    }
    const { email, name, role, ...wanted } = person as Partial<CheckedLine>;
    const { places, refusals } = find({ channels: wanted.channels ?? [], groups: wanted.groups ?? [] });
    problems.push(...refusals.map((reason) => ({ line, reason })));
    if (email === undefined || name === undefined || role === undefined) return [];
    const before = first.get(email.toLowerCase());
    if (before !== undefined) problems.push({ line, reason: `${email} is on line ${before} already` });
    first.set(email.toLowerCase(), before ?? line);
    return [{ line, email, full_name: name, role: roles[role], places }];
  });
}

type CheckedLine = { [K in Column]: z.output<(typeof columns)[K]> };

function problemsIn(error: unknown, people: readonly ListedPerson[]): Problem[] {
  if (!(error instanceof AppError) || !("refusals" in error.data)) throw error;
  const { refusals, added } = error.data as { refusals: RefusedPerson[]; added: number };
  const problems = refusals.map(({ index, reason }) => {
    const { line = 0, email = "" } = people[index] ?? {};
    return { line, reason: `${email}: ${reason}` };
  });
  return added > 0 ? failHalfway(problems, people.slice(0, added)) : problems;
}

/** Somebody changed the organization while the people were being added, or this would have been refused before. */
function failHalfway(problems: readonly Problem[], added: readonly ListedPerson[]): never {
  return fail(
    "BAD_REQUEST",
    `Those up to line ${added.at(-1)?.line} were added, and nobody after them: ${formatProblems(problems)}. Import the lines that are left.`,
  );
}

function refuseAll(problems: readonly Problem[]): never {
  return fail("BAD_REQUEST", `Nobody was added: ${formatProblems(problems)}.`);
}

function formatProblems(problems: readonly Problem[]): string {
  return reasonsText(problems.map(({ line, reason }) => ({ name: `line ${line}`, reason })));
}
