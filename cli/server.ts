// How commands query the data folder's running server: over HTTP at its local address, with an API key made for the
// purpose.
import type { z } from "zod";
import { fail, notSaved } from "@/kernel/errors.ts";
import { addressOf } from "./lock.ts";
import { asOperator, type Target } from "./organization.ts";

interface Asking {
  patienceMs?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
  init?: RequestInit;
}

export interface Server {
  /** Sends a request; `body` is JSON, or else text. Fails if the server cannot be reached or refuses the key. */
  send(path: string, asking?: Asking): Promise<{ ok: boolean; status: number; body: unknown }>;
  /** Sends GET to a path of the server, and checks the answer's shape; throws if there is no valid answer. */
  get<S extends z.ZodType>(path: string, shape: S, asking?: Asking): Promise<z.output<S>>;
}

/** The server did not answer, but may do so later. */
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
    const send: Send = async (path, init) => {
      // Read each time: the server may have restarted at another port.
      const address = addressOf(dataDir);
      if (address === null) throw new Unreachable(`No server runs on ${dataDir}.`);
      return askOwnServer(ctx, path, { address, key, init });
    };
    try {
      return await work(serverAt(send));
    } finally {
      await giveKeyBack(ctx, key);
    }
  });
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Statuses of a server that is starting, stopping or overloaded, or of a proxy in front of it. */
const isAway = new Set([502, 503, 504]);

/** A server, given the function that sends its requests; `named` is its address in errors. */
export function serverAt(send: Send, named = ""): Server {
  const said = named === "" ? "The server" : `The server at ${named}`;
  const server: Server = {
    async send(path, { patienceMs = usualPatienceMs, signal, init } = {}) {
      const patience = AbortSignal.timeout(patienceMs);
      const ends = signal ? AbortSignal.any([patience, signal]) : patience;
      const answer = await send(path, { ...init, signal: ends }).catch((error: Error) => {
        if (error instanceof Unreachable) throw error;
        throw new Unreachable(`${said} cannot be reached (${error.message.replace(/[.?]$/, "")}).`);
      });
      const isJson = answer.headers.get("content-type")?.startsWith("application/json");
      const body: unknown = isJson ? await answer.json() : await answer.text();
      if (isAway.has(answer.status))
        throw new Unreachable(`${said} is not ready: ${absenceIn(body, answer.status)}`);
      if (answer.status === 401) fail("BAD_REQUEST", `${said} does not accept your key: ${reasonIn(body)}`);
      return { ok: answer.ok, status: answer.status, body };
    },
    async get(path, shape, asking) {
      const { ok, status, body } = await server.send(path, asking);
      if (!ok) fail("BAD_REQUEST", `The server refused: ${reasonIn(body) || `it answered ${status}.`}`);
      return shaped(shape, body);
    },
  };
  return server;
}

/** An answer's body, checked; throws if it has another shape. */
export function shaped<S extends z.ZodType>(shape: S, body: unknown): z.output<S> {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  return fail(
    "BAD_REQUEST",
    "The server answered something else: is it of another version than this program?",
  );
}

/** What says that nothing was saved is said of reading, too, while no node of a cluster leads. */
function absenceIn(body: unknown, status: number): string {
  const reason = reasonIn(body);
  if (reason === notSaved)
    return "it cannot save just now, or no node of its cluster leads. Please try again.";
  return reason || `it answered ${status}.`;
}

function reasonIn(body: unknown): string {
  const { msg } = (body ?? {}) as { msg?: unknown };
  return typeof msg === "string" ? msg : "";
}
