/** What a version of Confab after this one might add to the database. */
export const laterMigration = "CREATE TABLE of_later (id INTEGER PRIMARY KEY) STRICT";
