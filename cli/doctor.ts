import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { type Finding, finding } from "@/operations/diagnosis/schema.ts";
import { read } from "./args.ts";
import { standalone } from "./command.ts";
import { isLocked } from "./lock.ts";
import { checkLooking } from "./organization.ts";
import { bold } from "./output.ts";
import { progressLine } from "./progress.ts";
import { serverSettings, settingsOfFile } from "./settings.ts";

const day = 86_400;
const renewalDays = 14;
const marks: Record<Finding["verdict"], string> = { well: "✔", note: "·", warning: "!", problem: "✘" };

export default [
  standalone({
    name: "doctor",
    summary: "Look for what is wrong, and say what helps",
    about:
      "Looks at settings, certificate, data folder, disk, database, clock and public address, and says what to do about " +
      "what it finds. Changes nothing; the server may run. Ends with status 1 where there is a problem.",
    examples: ["confab doctor", "confab doctor --data /srv/confab --json"],
    args: {},
    result: z.object({ findings: z.array(finding) }),
    async run({ dataDir, show }) {
      checkLooking(dataDir);
      const { examine } = await import("@/operations/diagnosis/queries.ts");
      const now = Math.floor(Date.now() / 1000);
      const { report, end } = progressLine();
      report({ doing: "Looking", done: 0, of: 0 });
      const found = [
        ...ofSettings(dataDir, now),
        ...(await examine(dataDir, { now, isServed: isLocked(dataDir) }).finally(end)),
      ];
      await show(found);
      const problems = found.filter(({ verdict }) => verdict === "problem").length;
      if (problems > 0)
        fail("BAD_REQUEST", `${problems === 1 ? "there is a problem" : `there are ${problems} problems`}.`);
    },
    json: (findings: Finding[]) => ({ findings }),
    print: (findings: Finding[]) => findings.map(shown).join("\n"),
  }),
];

function shown({ check, verdict, finding, remedy }: Finding): string {
  return `${marks[verdict]} ${bold(check)}: ${finding}${remedy ? `\n    ${remedy}` : ""}`;
}

function ofSettings(dataDir: string, now: number): Finding[] {
  try {
    const result = read(serverSettings, {}, settingsOfFile(dataDir));
    if ("problem" in result) fail("BAD_REQUEST", `${result.problem}.`);
    const { tls_cert } = result.values;
    const settings: Finding = { check: "Settings", verdict: "well", finding: "They can be used." };
    return tls_cert === undefined ? [settings] : [settings, certificate(tls_cert, now)];
  } catch (error) {
    const remedy =
      "Change confab.toml or the environment; 'confab serve --help' says what each setting takes.";
    return [{ check: "Settings", verdict: "problem", finding: (error as Error).message, remedy }];
  }
}

function certificate(path: string, now: number): Finding {
  const check = "Certificate";
  const remedy = "Renew it, then send the server SIGHUP.";
  if (!existsSync(path)) return { check, verdict: "problem", finding: `There is no file ${path}.`, remedy };
  const validTo = endOf(path);
  if (validTo === null)
    return { check, verdict: "problem", finding: `${path} does not hold a PEM certificate.`, remedy };
  const days = Math.floor((Date.parse(validTo) / 1000 - now) / day);
  if (days < 0) return { check, verdict: "problem", finding: `It expired on ${validTo}.`, remedy };
  const finding = `It is valid for ${days} more days.`;
  return days < renewalDays
    ? { check, verdict: "warning", finding, remedy }
    : { check, verdict: "well", finding };
}

function endOf(path: string): string | null {
  try {
    return new X509Certificate(readFileSync(path)).validTo;
  } catch {
    return null;
  }
}
