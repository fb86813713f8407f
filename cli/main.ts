// The executable's entry point. It imports almost nothing: only the nouns on the command line are loaded.
import { version as number } from "../package.json";
import { allCommands, commandsOf } from "./loaders.ts";
import { nounsIn } from "./nouns.ts";

/** Set by the build. */
const commit = process.env.CONFAB_COMMIT;
const version = commit ? `${number} (${commit})` : number;

const argv = process.argv.slice(2);
if (argv.length === 1 && /^(-V|--version)$/.test(argv[0] ?? "")) console.log(version);
else process.exitCode = await runCommand();

async function runCommand(): Promise<number> {
  const named = nounsIn(argv);
  const load = named.length > 0 ? commandsOf(named) : allCommands();
  const [{ run }, commands] = await Promise.all([import("./program.ts"), load]);
  return run(argv, commands, { version, allCommands });
}
