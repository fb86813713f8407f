// How commands query the data folder's running server: over HTTP at its local address, with an API key made for the
// purpose.
import { z } from "zod";
import { AppError, failInEnglish as fail, notSaved } from "@/kernel/lib/errors.ts";
import { addressOf } from "./lock.ts";
import { asOperator, type OrganizationTarget } from "./organization.ts";

interface Asking {
  patienceMs?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
  init?: RequestInit;
}

export interface Server {
  /** Its address in errors; null for that of the data folder. */
  readonly address: string | null;
  /** Sends a request; `body` is JSON, or else text. Fails if the server cannot be reached or refuses the key. */
  send(path: string, asking?: Asking): Promise<{ ok: boolean; status: number; body: unknown }>;
  /** Sends GET to a path of the server, and checks the answer's shape; throws if there is no valid answer. */
  get<S extends z.ZodType>(path: string, shape: S, asking?: Asking): Promise<z.output<S>>;
}

/** The server did not answer, but may do so later. */
export class Unreachable extends Error {}

/** There was no answer at all, or its connection ended. */
export class NoServerAnswer extends Unreachable {}

const usualPatienceMs = 10_000;

/** Runs `work` with the running server of the data folder, as the operator; fails if none runs. */
export async function withServer<R>(
  { dataDir, as }: OrganizationTarget,
  work: (server: Server) => Promise<R>,
): Promise<R> {
  const [{ borrowKey, giveKeyBack }, { askOwnServer }] = await Promise.all([
    import("@/foundation/login/actions.ts"),
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

/** A server, given the function that sends its requests. */
export function serverAt(send: Send, address: string | null = null): Server {
  const said = nameOf({ address });
  const server: Server = {
    address,
    async send(path, { patienceMs = usualPatienceMs, signal, init } = {}) {
      const patience = AbortSignal.timeout(patienceMs);
      const ends = signal ? AbortSignal.any([patience, signal]) : patience;
      const answer = await send(path, { ...init, signal: ends }).catch((error) => unreachable(server, error));
      const { ok, status } = answer;
      const text = await answer.text().catch((error) => unreachable(server, error));
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
      const body = isJson ? jsonIn(text) : text;
      if (isAway.has(status)) throw new Unreachable(`${said} is not ready: ${absenceIn(body, status)}`);
      if (isJson && body === undefined) failForeign(server, status);
      if (status === 401 && reasonIn(body) === "") failForeign(server, status);
      if (status === 401) fail("BAD_REQUEST", `${said} does not accept your key: ${reasonIn(body)}`);
      return { ok, status, body };
    },
    async get(path, shape, asking) {
      const { ok, status, body } = await server.send(path, asking);
      if (ok) return checkShape(shape, body, server);
      const reason = reasonIn(body);
      return reason === ""
        ? failForeign(server, status)
        : fail("BAD_REQUEST", `The server refused: ${reason}`);
    },
  };
  return server;
}

type Named = Pick<Server, "address">;

const nameOf = ({ address }: Named) => (address === null ? "The server" : `The server at ${address}`);

/** A successful answer's body, checked; throws if it has another shape. */
export function checkShape<S extends z.ZodType>(shape: S, body: unknown, server: Named): z.output<S> {
  const read = shape.safeParse(body);
  return read.success ? read.data : failForeign(server);
}

/** Throws the reason that a server gives for refusing a request. */
export function failRefused(server: Named, { status, body }: { status: number; body: unknown }): never {
  const reason = reasonIn(body);
  return reason === "" ? failForeign(server, status) : fail("BAD_REQUEST", reason);
}

/** Throws because this is no answer of a Confab server, or of one of another version. */
export function failForeign(server: Named, status = 200): never {
  const how = status === 200 ? "" : `, but with status ${status}`;
  const remedy =
    server.address === null
      ? "Is it of another version than this program? Then restart it with this one."
      : "Check the address: a proxy or another program may answer there. If it is a Confab server, it is of another version " +
        "than this program: update the older one.";
  return fail("BAD_REQUEST", `${nameOf(server)} does not answer as a Confab server does${how}. ${remedy}`);
}

/** Throws because a request got no answer, or one that `fetch` refused. */
export function unreachable(server: Named, error: Error & { code?: unknown }): never {
  if (error instanceof Unreachable || error instanceof AppError) throw error;
  if (error.code !== "UnexpectedRedirect")
    throw new NoServerAnswer(`${nameOf(server)} cannot be reached (${plainly(error.message)}).`);
  const remedy = "Give the address to which it redirects, if that is the Confab server.";
  return fail("BAD_REQUEST", `${nameOf(server)} redirects to another address. ${remedy}`);
}

/** An error of a connection, without its code and without advice to programmers. */
function plainly(message: string): string {
  const [sentence = ""] = message.replace(/^[A-Z_]+: /, "").split(" For more information", 1);
  return sentence.replace(/[.?]$/, "");
}

/** Undefined if it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What says that nothing was saved is said of reading, too, while no node of a cluster leads. */
function absenceIn(body: unknown, status: number): string {
  const reason = reasonIn(body);
  if (reason === notSaved)
    return "it cannot save just now, or no node of its cluster leads. Please try again.";
  return reason || `it answered ${status}.`;
}

const refusal = z.object({ result: z.literal("error"), msg: z.string() });

function reasonIn(body: unknown): string {
  return refusal.safeParse(body).data?.msg ?? "";
}
