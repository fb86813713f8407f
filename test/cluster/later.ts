/** What later versions of Confab might add to the database. */
export function laterMigrations(versions: number): string[] {
  return Array.from(
    { length: versions },
    (_, n) => `CREATE TABLE of_later_${n + 1} (id INTEGER PRIMARY KEY) STRICT`,
  );
}
