import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { type Finding, finding } from "@/operations/diagnosis/schema.ts";
import { flag } from "./args.ts";
import { standalone } from "./command.ts";
import { examineCluster } from "./doctor-cluster.ts";
import { examineSettings } from "./doctor-settings.ts";
import { addressOf, isLocked } from "./lock.ts";
import { checkLooking } from "./looking.ts";
import { bold } from "./output.ts";
import { progressLine } from "./progress.ts";
import { s3Of } from "./s3.ts";

/** Runs all checks of the doctor, settings included; `deep` also checks every index and reference. */
export async function examineAll(dataDir: string, deep: boolean): Promise<Finding[]> {
  const { examine } = await import("@/operations/diagnosis/queries.ts");
  const now = Math.floor(Date.now() / 1000);
  const isServed = isLocked(dataDir);
  const s3 = () => s3Of(dataDir);
  return [
    ...(await examineSettings(dataDir, now)),
    ...(await examine(dataDir, { now, isServed, address: addressOf(dataDir), deep, s3 })),
    ...(await examineCluster(dataDir)),
  ];
}

const marks: Record<Finding["verdict"], string> = { well: "✔", note: "·", warning: "!", problem: "✘" };

export default [
  standalone({
    name: "doctor",
    summary: "Look for what is wrong, and say what helps",
    about:
      "Looks at settings, certificate, mail server, data folder, disk, database, files, clock and public address, and says what " +
      "to do about what it finds. Changes nothing; the server may run. Exits with status 1 if it finds a problem.",
    examples: ["confab doctor", "confab doctor --data /srv/confab --json", "confab doctor --deep"],
    args: {
      deep: flag(
        z.boolean().default(false),
        "also check every index and reference of the database, and look for every file: takes a minute or more for gigabytes",
      ),
    },
    result: z.object({ findings: z.array(finding) }),
    async run({ dataDir, show }, { deep }) {
      checkLooking(dataDir);
      const { report, end } = progressLine();
      report({ doing: "Looking", done: 0, of: 0 });
      const found = await examineAll(dataDir, deep).finally(end);
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
