import { Database } from "bun:sqlite";

/** Whether a database holds an organization that is no sample. Does not change it, not even to the schema of this version. */
export function holdsRealOrganization(path: string): boolean {
  const database = new Database(path, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const has = (sql: string) => database.query(sql).get() !== null;
    if (!has("SELECT 1 FROM sqlite_schema WHERE name = 'realm'") || !has("SELECT 1 FROM realm")) return false;
    return !has(
      "SELECT 1 FROM settings WHERE scope = 'sample' AND owner_id = 0 AND name = 'is_sample' AND value = 'true'",
    );
  } finally {
    database.close();
  }
}
