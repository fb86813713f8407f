// What docs/cluster/compose.yaml says: its services, and the commands of its first lines.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const docs = join(import.meta.dir, "..", "..", "docs");
const page = readFileSync(join(docs, "cluster", "compose.yaml"), "utf8");

export const { services } = Bun.YAML.parse(page) as {
  services: Record<string, { environment?: Record<string, string> }>;
};

/** The arguments of each `docker compose`, in order. */
export const commands = [...page.matchAll(/docker compose (.+?)(?:, then)?$/gm)].map(([, words = ""]) =>
  [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
);
