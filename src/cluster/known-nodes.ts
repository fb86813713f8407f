// What a node remembers of the others in its folder, for the time when NATS does not know them.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { KnownNode } from "@/operations/nodes/schema.ts";
import { forgottenMs } from "./facts.ts";

const fileName = "confab.nodes";

const remembered = z.object({
  node: z.string(),
  url: z.string(),
  site: z.string().optional(),
  /** In UNIX seconds. */
  last_seen: z.int(),
  /** The newest entry that it held then. */
  position: z.int().nullable(),
});
export type Remembered = z.infer<typeof remembered>;

const content = z.object({ cluster: z.string(), nodes: z.array(remembered) });

interface Whose {
  readonly dataDir: string;
  readonly cluster: string;
}

/** Empty if the folder has no notes of this cluster. */
export function readNodes({ dataDir, cluster }: Whose): Remembered[] {
  try {
    const found = content.parse(JSON.parse(readFileSync(join(dataDir, fileName), "utf8")));
    const since = (Date.now() - forgottenMs) / 1_000;
    return found.cluster === cluster ? found.nodes.filter(({ last_seen }) => last_seen > since) : [];
  } catch {
    return [];
  }
}

/** Throws if the disk takes nothing. */
export function rememberNodes({ dataDir, cluster }: Whose, nodes: readonly KnownNode[]): void {
  const kept = nodes.map(({ node, url, site, last_seen, position }) => ({
    node,
    url,
    site,
    last_seen,
    position,
  }));
  const path = join(dataDir, fileName);
  writeFileSync(`${path}-new`, JSON.stringify({ cluster, nodes: kept }), { mode: 0o600 });
  renameSync(`${path}-new`, path);
}

export function forgetNodes(dataDir: string): void {
  rmSync(join(dataDir, fileName), { force: true });
}
