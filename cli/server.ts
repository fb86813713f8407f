// The running server as commands ask it over HTTP: that of the data folder, where it listens, with an API key made for the
// purpose.
import type { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { addressOf } from "./lock.ts";
import { asOperator, type Target } from "./organization.ts";

export interface Server {
  /** Sends GET to a path of the server, and reads the answer by its shape; fails if there is none that fits. */
  get<S extends z.ZodType>(path: string, shape: S, asking?: { patienceMs?: number }): Promise<z.output<S>>;
}

/** The server did not answer: it may do so later. */
export class Unreachable extends Error {}

const usualPatienceMs = 10_000;

/** Runs `work` with the running server of the data folder, as the operator; fails if none runs. */
export async function withServer<R>(
  { dataDir, as }: Target,
  work: (server: Server) => Promise<R>,
): Promise<R> {
  const [{ borrowKey, giveKeyBack }, { askOwnServer }] = await Promise.all([
    import("@/foundation/auth/actions.ts"),
    import("@/foundation/auth/host.ts"),
  ]);
  return asOperator({ dataDir, as }, async (ctx) => {
    if (addressOf(dataDir) === null) fail("BAD_REQUEST", `No server runs on ${dataDir}.`);
    const key = await borrowKey(ctx);
    const send: Send = (path, patienceMs) => {
      // Asked for each time: the server may have been started again, at another port.
      const address = addressOf(dataDir);
      if (address === null) throw new Unreachable(`No server runs on ${dataDir}.`);
      return askOwnServer(ctx, path, { address, key, patienceMs });
    };
    try {
      return await work(serverAt(send));
    } finally {
      await giveKeyBack(ctx, key);
    }
  });
}

type Send = (path: string, patienceMs: number) => Promise<Response>;

function serverAt(send: Send): Server {
  return {
    async get(path, shape, { patienceMs = usualPatienceMs } = {}) {
      const answer = await answered(() => send(path, patienceMs));
      const body = (await answer.json().catch(() => null)) as { msg?: unknown } | null;
      if (!answer.ok) {
        const reason = typeof body?.msg === "string" ? body.msg : `It answered ${answer.status}.`;
        fail("BAD_REQUEST", `The server refused: ${reason}`);
      }
      const read = shape.safeParse(body);
      return read.success
        ? read.data
        : fail(
            "BAD_REQUEST",
            "The server answered something else: is it of another version than this program?",
          );
    },
  };
}

async function answered(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(`The server cannot be reached (${(error as Error).message.replace(/[.?]$/, "")}).`);
  }
}
