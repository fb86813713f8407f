// The executable's entry. It imports next to nothing: each noun's code is loaded by the command line that names it.
import { version as number } from "../package.json";
import { commandsOf, nouns, pluralOf } from "./nouns.ts";

/** Put in by the build. */
const commit = process.env.CONFAB_COMMIT;
const version = commit ? `${number} (${commit})` : number;

const argv = process.argv.slice(2);
if (argv.length === 1 && /^(-V|--version)$/.test(argv[0] ?? "")) console.log(version);
else process.exitCode = await runCommand();

async function runCommand(): Promise<number> {
  const named = Object.keys(nouns).filter((noun) => argv.includes(noun) || argv.includes(pluralOf(noun)));
  const wanted = named.length > 0 ? named : Object.keys(nouns);
  const [{ run }, commands] = await Promise.all([import("./command.ts"), commandsOf(wanted)]);
  return run(argv, commands, version);
}
