// Makes Confab a later version, with as many more migrations as LATER_TABLES says: `bun --preload test/cluster/newer.ts cli/main.ts`.
import { join } from "node:path";
import { migrations } from "@/migrations/all.ts";
import own from "../../package.json";
import { laterMigrations } from "./later.ts";

const versions = Number(process.env.LATER_VERSIONS);
(migrations as string[]).push(...laterMigrations(Number(process.env.LATER_TABLES)));
const file = join(import.meta.dir, "..", "..", "package.json");
const version = own.version.replace(/\d+$/, (last) => String(Number(last) + versions));
Bun.plugin({
  name: "a later version",
  setup: (build) => void build.module(file, () => ({ exports: { ...own, version }, loader: "object" })),
});
