// Ports for servers that tests start.
import { createServer } from "node:net";

/** Below the ports that systems give to connections: one of those could take it before the server listens, or while it restarts. */
const ports = { first: 10_000, last: 31_999 };
const given = new Set<number>();

/** A port that nobody uses, and that this process has not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.first + Math.floor(Math.random() * (ports.last - ports.first + 1));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}
