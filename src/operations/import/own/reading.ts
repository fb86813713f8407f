// Reads our own export row by row; each row is on a line of its own.
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import type { z } from "zod";
import { fail } from "@/kernel/lib/errors.ts";
import { checkValue } from "@/operations/import/intake/checking.ts";
import { head, laterSections, type OwnSection, ownSections } from "./schema.ts";

export type OwnRow = {
  [S in OwnSection]: { section: S; row: z.infer<(typeof ownSections)[S]> };
}[OwnSection];

const sectionLine = /^"(\w+)":\[(\](,|\})?)?$/;

/** All rows in the order of the document. Throws at the first malformed line, or if the end is missing. */
export async function* ownRows(file: string): AsyncGenerator<OwnRow> {
  const name = basename(file);
  const seen = new Set<string>();
  let section: OwnSection | null = null;
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
      section = checkSection(begins[1] ?? "", where);
      if (section) seen.add(section);
      isWhole = begins[3] === "}";
      continue;
    }
    if (text === "") continue;
    isWhole = text.endsWith("]}");
    const row = jsonOf(text.replace(/(\],|\]\}|\]|,)$/, ""), where);
    if (section) yield { section, row: checkValue<unknown>(row, ownSections[section], where) } as OwnRow;
  }
  if (!isWhole) fail("BAD_REQUEST", `${name} is not complete: its end is missing.`);
  const missing = Object.keys(ownSections).filter((one) => !seen.has(one) && !laterSections.has(one));
  if (missing.length > 0)
    fail("BAD_REQUEST", `${name} is not an export of an organization: it has no ${missing.join(", ")}.`);
}

function checkSection(name: string, where: string): OwnSection {
  if (Object.hasOwn(ownSections, name)) return name as OwnSection;
  return fail("BAD_REQUEST", `${where}: exports of an organization have no section ${name}.`);
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("BAD_REQUEST", `${where} is not a row of an export.`);
  }
}
