import { z } from "zod";
import type { OpenStore } from "@/foundation/file-stores/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type Finding, finding } from "@/operations/diagnosis/schema.ts";
import { flag } from "../args.ts";
import { inspecting } from "../command.ts";
import { addressOf, isLocked } from "../lock.ts";
import { checkLooking } from "../looking.ts";
import { failUsage } from "../misuse.ts";
import { bold } from "../output.ts";
import { progressLine } from "../progress.ts";
import { storesIn } from "../stores.ts";
import { examineCluster } from "./doctor-cluster.ts";
import { examineSettings } from "./doctor-settings.ts";

/** Runs all checks of the doctor, settings included; `deep` also checks every index and reference. */
export function examineAll(dataDir: string, deep: boolean): Promise<Finding[]> {
  return examineBy(dataDir, { deep, isServing: false });
}

/** What a server finds out about itself, for an administrator elsewhere. */
export async function examineFor(ctx: Ctx): Promise<Finding[]> {
  const { examineWithin } = await import("@/operations/diagnosis/queries.ts");
  return examineWithin(ctx, (dataDir) => examineBy(dataDir, { deep: false, isServing: true }));
}

/** `isServing`: within the server that runs on the folder, for a person elsewhere. */
async function examineBy(
  dataDir: string,
  { deep, isServing }: { deep: boolean; isServing: boolean },
): Promise<Finding[]> {
  const { examine } = await import("@/operations/diagnosis/queries.ts");
  const now = Math.floor(Date.now() / 1000);
  const isServed = isLocked(dataDir);
  const stores = storesKnown(dataDir, isServing);
  return [
    ...(await examineSettings(dataDir, { now, isFromElsewhere: isServing })),
    ...(await examine(dataDir, { now, isServed, address: addressOf(dataDir), deep, isServing, stores })),
    ...(await examineCluster(dataDir)),
  ];
}

const patienceMs = 5_000;

/** As `storesIn`; what is wrong with settings, another check says. */
function storesKnown(dataDir: string, isServing: boolean): OpenStore {
  const open = storesIn(dataDir, { patienceMs });
  return (kind) => {
    try {
      return open(kind);
    } catch (error) {
      const reason = (error as Error).message.replace(/\.$/, "");
      throw new Error(isServing ? "the server's settings cannot be used" : reason);
    }
  };
}

const marks: Record<Finding["verdict"], string> = { well: "✔", note: "·", warning: "!", problem: "✘" };

export default [
  inspecting({
    name: "doctor",
    summary: "Look for what is wrong, and say what helps",
    about:
      "Looks at settings, certificate, mail server, data folder, disk, database, files, clock and public address, and says what " +
      "to do about what it finds. Changes nothing; the server may run. A remote server looks at itself, for administrators, and " +
      "says what can only be seen on its machine. Exits with status 1 if it finds a problem.",
    examples: ["confab doctor", "confab doctor --data /srv/confab --json", "confab doctor --deep"],
    args: {
      deep: flag(
        z.boolean().default(false),
        "also check every index and reference of the database, and look for every file: takes a minute or more for gigabytes",
      ),
    },
    result: z.object({ findings: z.array(finding) }),
    async here({ dataDir }, { deep }) {
      checkLooking(dataDir);
      const { report, end } = progressLine();
      report({ doing: "Looking", done: 0, of: 0 });
      return { findings: await examineAll(dataDir, deep).finally(end) };
    },
    async there(ctx, { deep }) {
      if (deep)
        failUsage(
          "--deep works only on the machine of the server: it would hold up the people who use the server",
        );
      return { findings: await examineFor(ctx) };
    },
    print: ({ findings }) => findings.map(formatFinding).join("\n"),
    judge({ findings }) {
      const problems = findings.filter(({ verdict }) => verdict === "problem").length;
      if (problems > 0)
        fail("BAD_REQUEST", `${problems === 1 ? "there is a problem" : `there are ${problems} problems`}.`);
    },
  }),
];

function formatFinding({ check, verdict, finding, remedy }: Finding): string {
  return `${marks[verdict]} ${bold(check)}: ${finding}${remedy ? `\n    ${remedy}` : ""}`;
}
