// Ports for servers that tests start.
import { createServer, type Server } from "node:net";

/** Below the ports that systems give to connections: one of those could take it before the server listens, or while it restarts. */
const ports = { first: 10_000, last: 31_999 };
/**
 * A process takes ports from blocks of this size, whose first port it listens on until it ends: so no other process, also of another
 * clone or another user, is given a port between its being chosen and its being used.
 */
const blockSize = 50;
const given: number[] = [];
let taking: Promise<void> | null = null;

/** A port that nobody uses, and that is given to nobody else until this process ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = given.shift();
    if (port === undefined) {
      taking ??= takeBlock().finally(() => {
        taking = null;
      });
      await taking;
      continue;
    }
    const probe = await listen(port);
    if (!probe) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

async function takeBlock(): Promise<void> {
  const blocks = Math.floor((ports.last - ports.first + 1) / blockSize);
  for (;;) {
    const first = ports.first + Math.floor(Math.random() * blocks) * blockSize;
    const held = await listen(first);
    if (!held) continue;
    held.unref();
    for (let port = first + 1; port < first + blockSize; port++) given.push(port);
    return;
  }
}

/** Nothing if the port is in use. */
function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(null))
      .listen(port, "127.0.0.1", () => resolve(server));
  });
}

export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}
