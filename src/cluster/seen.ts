// Monotonic reads: a client that asks one node after the other never sees an older state than before. Each answer says in a cookie
// up to which entry of the log its node was, and another node answers once it has that entry, too.

const name = "confab_seen";
const pattern = new RegExp(`(?:^|;\\s*)${name}=(\\d{1,15})(?:;|$)`);
/** In seconds. A node that is behind for longer answers nobody: docs/cluster.md. */
const lifetime = 600;
/** Entries are usually announced within milliseconds; after this time, a node looks at the log. */
export const announcedMs = 200;

/** What this needs from a node. */
interface Following {
  readonly position: number;
  reach(seq: number, ms: number): Promise<boolean>;
  checkLog(): Promise<boolean>;
}

/**
 * Whether a node has all that a client has seen at others, by the `Cookie` header; waits for it. True as well once the node has the
 * whole log, and the client has seen more: then the log has started over.
 */
export function hasSeen(node: Following, cookies: string | undefined): boolean | Promise<boolean> {
  const seen = positionIn(cookies);
  return seen <= node.position || arrives(node, seen);
}

async function arrives(node: Following, seq: number): Promise<boolean> {
  return (await node.reach(seq, announcedMs)) || (await node.checkLog());
}

/** The values of `Set-Cookie` in an answer to a client that sent these cookies. */
export function cookiesAfter(node: Following, cookies: string | undefined): readonly string[] {
  const { position } = node;
  if (positionIn(cookies) === position) return [];
  return [`${name}=${position}; Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax`];
}

function positionIn(cookies: string | undefined): number {
  return Number(pattern.exec(cookies ?? "")?.[1] ?? 0);
}
