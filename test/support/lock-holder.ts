// Holds the write lock of the database that the command line names, until its standard input ends.
import { openFile } from "./database.ts";

const database = openFile(Bun.argv[2] as string);
database.run("BEGIN IMMEDIATE");
console.log("held");
for await (const _ of Bun.stdin.stream());
database.run("ROLLBACK");
database.close();
