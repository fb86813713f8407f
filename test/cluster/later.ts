import { join } from "node:path";
import { version } from "../../package.json";

export interface Version {
  readonly number: string;
  readonly program: string[];
  readonly env: Record<string, string>;
}

/** Confab from the sources, as so many versions later, each of which has a new table unless none is to be `new`. */
export function laterVersion(versions: number, tables: "new" | "same" = "new"): Version {
  const [main, newer] = ["../../cli/main.ts", "newer.ts"].map((path) => join(import.meta.dir, path));
  return {
    number: version.replace(/\d+$/, (last) => String(Number(last) + versions)),
    program: [process.execPath, "--preload", newer as string, main as string],
    env: { LATER_VERSIONS: String(versions), LATER_TABLES: String(tables === "new" ? versions : 0) },
  };
}

/** What later versions of Confab might add to the database. */
export function laterMigrations(versions: number): string[] {
  return Array.from(
    { length: versions },
    (_, n) => `CREATE TABLE of_later_${n + 1} (id INTEGER PRIMARY KEY) STRICT`,
  );
}
