// The executable's entry. It imports next to nothing: each noun's code is loaded by the command line that names it.
import { version as number } from "../package.json";
import type { Command } from "./command.ts";

const nouns: Record<string, () => Promise<{ default: Command[] }>> = {
  serve: () => import("./serve.ts"),
  init: () => import("./init.ts"),
  config: () => import("./config.ts"),
  doctor: () => import("./doctor.ts"),
  stats: () => import("./stats.ts"),
  export: () => import("./export.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./backup.ts"),
  user: () => import("./users.ts"),
  bot: () => import("./bots.ts"),
  channel: () => import("./channels.ts"),
  message: () => import("./messages.ts"),
};

/** Put in by the build. */
const commit = process.env.CONFAB_COMMIT;
const version = commit ? `${number} (${commit})` : number;

const argv = process.argv.slice(2);
if (argv.length === 1 && /^(-V|--version)$/.test(argv[0] ?? "")) console.log(version);
else process.exitCode = await runCommand();

async function runCommand(): Promise<number> {
  const named = Object.keys(nouns).filter((noun) => argv.includes(noun));
  const wanted = named.length > 0 ? named : Object.keys(nouns);
  const [{ run }, ...loaded] = await Promise.all([
    import("./command.ts"),
    ...wanted.map((noun) => nouns[noun]?.()),
  ]);
  return run(
    argv,
    [...new Set(loaded)].flatMap((module) => module?.default ?? []),
    version,
  );
}
