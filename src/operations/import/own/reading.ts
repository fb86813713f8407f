// Reads our own export row by row; each row is on a line of its own.
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { organizationSections, type Section } from "@/operations/export/sections.ts";
import { checkValue } from "@/operations/import/intake/checking.ts";

const head = z.object({
  format: z.literal(1, "Only format 1 can be read."),
  version: z.string(),
  exported_at: z.int(),
});

type OwnRows = { [S in Section as S["name"]]: { section: S["name"]; row: z.infer<S["row"]> } };
export type OwnSection = keyof OwnRows;
export type OwnRow = OwnRows[OwnSection];
export type RowOf<S extends OwnSection> = OwnRows[S]["row"];

const sectionLine = /^"(\w+)":\[(\](,|\})?)?$/;

/** All rows in the order of the document. Throws at the first malformed line, or if the end is missing. */
export async function* ownRows(file: string): AsyncGenerator<OwnRow> {
  const name = basename(file);
  const seen = new Set<string>();
  let section: Section | null = null;
  let line = 0;
  let isWhole = false;
  for await (const text of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const where = `${name}, line ${++line}`;
    if (line === 1) {
      checkValue(jsonOf(text.replace(/,$/, "}"), where), head, where);
      continue;
    }
    const begins = sectionLine.exec(text);
    if (begins) {
      section = findSection(begins[1] ?? "", where);
      seen.add(section.name);
      isWhole = begins[3] === "}";
      continue;
    }
    if (text === "") continue;
    isWhole = text.endsWith("]}");
    const row = jsonOf(text.replace(/(\],|\]\}|\]|,)$/, ""), where);
    if (section) yield { section: section.name, row: checkValue<unknown>(row, section.row, where) } as OwnRow;
  }
  if (!isWhole) fail("BAD_REQUEST", `${name} is not complete: its end is missing.`);
  const missing = organizationSections
    .filter(({ name, isLater }) => !seen.has(name) && !isLater)
    .map(({ name }) => name);
  if (missing.length > 0)
    fail("BAD_REQUEST", `${name} is not an export of an organization: it has no ${missing.join(", ")}.`);
}

function findSection(name: string, where: string): Section {
  return (
    organizationSections.find((one) => one.name === name) ??
    fail("BAD_REQUEST", `${where}: exports of an organization have no section ${name}.`)
  );
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("BAD_REQUEST", `${where} is not a row of an export.`);
  }
}
