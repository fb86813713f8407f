import { Database } from "bun:sqlite";

/** Whether a database, which must not be empty, holds an organization; changes nothing. */
export function holdsOrganization(path: string): boolean {
  const database = new Database(path, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const table = database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'realm'").get();
    return table !== null && database.query("SELECT 1 FROM realm").get() !== null;
  } catch {
    // One that cannot be read is for whoever opens it to complain of; it is not to be taken for none.
    return true;
  } finally {
    database.close();
  }
}
