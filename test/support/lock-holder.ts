// Holds the write lock of the database that the command line names, until its standard input ends.
import { Database } from "bun:sqlite";

const database = new Database(Bun.argv[2] as string);
database.run("BEGIN IMMEDIATE");
console.log("held");
for await (const _ of Bun.stdin.stream());
database.run("ROLLBACK");
database.close();
