// The requests of ACME (RFC 8555) to a certificate authority.
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  FlattenedSign,
  importPKCS8,
  type JWK,
} from "jose";
import { z } from "zod";
import { version } from "../../../package.json";
import { AcmeProblem, noDirectory, Unreadable } from "./troubles.ts";

export interface AuthorityAccess {
  /** The URL of its directory. */
  directory: string;
  /** Authorities (PEM) to trust for its own certificate. */
  ca: string | undefined;
  /** The private key of the account (PEM). */
  accountKey: string;
  signal: AbortSignal;
}

/** How long it may take, in milliseconds: one request; and the authority's work on each part of an order. */
export interface AuthorityPatience {
  requestMs: number;
  workMs: number;
  /** How long to wait before asking again whether work is done, if the authority does not say. */
  pauseMs: number;
}

const url = z.url({ protocol: /^https?$/ });

const directoryShape = z.object({
  newNonce: url,
  newAccount: url,
  newOrder: url,
  meta: z.object({ externalAccountRequired: z.boolean().optional() }).optional(),
});

const problemShape = z.object({ type: z.string(), detail: z.string().optional() });

const orderShape = z.object({
  status: z.enum(["pending", "ready", "processing", "valid", "invalid"]),
  authorizations: z.array(url).min(1).max(10),
  finalize: url,
  certificate: url.optional(),
  error: problemShape.optional(),
});
type Order = z.infer<typeof orderShape>;

const authorizationShape = z.object({
  status: z.string(),
  challenges: z.array(
    z.object({
      type: z.string(),
      url,
      token: z.string().optional(),
      status: z.string().optional(),
      error: problemShape.optional(),
    }),
  ),
});
type Authorization = z.infer<typeof authorizationShape>;

const token = z.string().regex(/^[\w-]{16,200}$/);

const maxAnswerBytes = 1_000_000;
const noncesAtMost = 5;
/** Longer than this, an authority's answer does not make the server wait within a try. */
const longestPauseMs = 60_000;

interface Asked {
  status: number;
  headers: Headers;
  text: string;
}

/** An account with an authority, which exists already or is made. */
export async function openAccount(access: AuthorityAccess, patience: AuthorityPatience) {
  const key = await importPKCS8(access.accountKey, "ES256", { extractable: true });
  const publicKey = publicPartOf(await exportJWK(key));
  const found = await ask(access, patience, access.directory);
  const directory = directoryShape.safeParse(jsonIn(found)).data;
  if (!directory) throw noDirectory(access.directory, found.status);
  if (directory.meta?.externalAccountRequired) throw new AcmeProblem("externalAccountRequired", "", null);
  const signing = { access, patience, key, publicKey, newNonce: directory.newNonce, nonces: [] as string[] };
  const made = await post(signing, directory.newAccount, { termsOfServiceAgreed: true });
  const session: Session = { ...signing, account: locationIn(made, directory.newAccount) };
  const thumbprint = await calculateJwkThumbprint(publicKey);

  return {
    /** What port 80 must answer about a token. */
    answerTo: (given: string) => `${given}.${thumbprint}`,

    /**
     * Orders a certificate; `proveControl` lets port 80 answer about a token. `request` is in DER. Returns the chain (PEM).
     */
    async order(
      domain: string,
      request: Uint8Array,
      proveControl: (given: string) => Promise<void>,
    ): Promise<string> {
      const placed = await post(session, directory.newOrder, {
        identifiers: [{ type: "dns", value: domain }],
      });
      const at = locationIn(placed, directory.newOrder);
      const order = read(orderShape, placed, directory.newOrder);
      for (const authorization of order.authorizations) await authorize(session, authorization, proveControl);
      const csr = Buffer.from(request).toString("base64url");
      await untilWorked(session, at, orderShape, (one) => one.status !== "pending", checkOrder);
      await post(session, order.finalize, { csr });
      const isDone = ({ status }: Order) => status === "valid";
      const { certificate } = await untilWorked(session, at, orderShape, isDone, checkOrder);
      if (certificate === undefined) throw new Unreadable(at);
      return (await post(session, certificate, null)).text;
    },
  };
}

/** Proves control of the domain, unless the authority knows of it from an earlier order. */
async function authorize(
  session: Session,
  at: string,
  proveControl: (given: string) => Promise<void>,
): Promise<void> {
  const authorization = read(authorizationShape, await post(session, at, null), at);
  if (authorization.status === "valid") return;
  const challenge = authorization.challenges.find(({ type }) => type === "http-01");
  if (!challenge) throw new AcmeProblem("unsupportedChallenge", "", null);
  const given = token.safeParse(challenge.token).data;
  if (given === undefined) throw new Unreadable(at);
  await proveControl(given);
  await post(session, challenge.url, {});
  await untilWorked(session, at, authorizationShape, ({ status }) => status === "valid", checkAuthorization);
}

function checkAuthorization({ status, challenges }: Authorization): void {
  if (status === "pending" || status === "valid") return;
  const failed = challenges.find(({ error }) => error)?.error;
  throw new AcmeProblem(kindOf(failed?.type) || "unauthorized", failed?.detail ?? `it is ${status}`, null);
}

function checkOrder({ status, error }: Order): void {
  if (status === "invalid") throw new AcmeProblem(kindOf(error?.type), error?.detail ?? "", null);
}

/** Asks again and again until the authority has done its work. */
async function untilWorked<T>(
  session: Session,
  at: string,
  shape: z.ZodType<T>,
  isDone: (found: T) => boolean,
  check: (found: T) => void,
): Promise<T> {
  const { workMs, pauseMs } = session.patience;
  const end = performance.now() + workMs;
  for (let pause = pauseMs; ; pause *= 1.5) {
    const answer = await post(session, at, null);
    const found = read(shape, answer, at);
    check(found);
    if (isDone(found)) return found;
    if (performance.now() > end) throw new AcmeProblem("timeout", "", null);
    const asked = waitIn(answer.headers);
    const wanted = Math.max(asked === null ? pause : asked * 1000, pauseMs);
    await sleep(Math.min(wanted, longestPauseMs), session.access.signal);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

interface Signing {
  access: AuthorityAccess;
  patience: AuthorityPatience;
  key: CryptoKey;
  publicKey: JWK;
  newNonce: string;
  /** Those that the authority gave and that are not used up; the last one is the newest. */
  nonces: string[];
  /** The account's URL; absent while it is made. */
  account?: string;
}
type Session = Signing & { account: string };

/** Sends a signed request; without a payload, it reads (POST-as-GET). */
async function post(session: Signing, at: string, payload: object | null): Promise<Asked> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(session.access, session.patience, at, {
      method: "POST",
      headers: { "content-type": "application/jose+json" },
      body: JSON.stringify(await sign(session, at, payload)),
    });
    const nonce = answer.headers.get("replay-nonce");
    if (nonce !== null) session.nonces = [nonce];
    if (answer.status < 300) return answer;
    const problem = problemIn(answer, at);
    if (problem.kind !== "badNonce" || tries === noncesAtMost) throw problem;
  }
}

async function sign(session: Signing, at: string, payload: object | null) {
  const { key, publicKey, account } = session;
  const nonce = session.nonces.pop() ?? (await newNonce(session));
  const who = account === undefined ? { jwk: publicKey } : { kid: account };
  const bytes = new TextEncoder().encode(payload === null ? "" : JSON.stringify(payload));
  return new FlattenedSign(bytes).setProtectedHeader({ alg: "ES256", nonce, url: at, ...who }).sign(key);
}

async function newNonce({ access, patience, newNonce: at }: Signing): Promise<string> {
  const answer = await ask(access, patience, at, { method: "HEAD" });
  const nonce = answer.headers.get("replay-nonce");
  if (nonce === null) throw new Unreadable(at);
  return nonce;
}

async function ask(
  { ca, signal }: AuthorityAccess,
  { requestMs }: AuthorityPatience,
  at: string,
  init: RequestInit = {},
): Promise<Asked> {
  const headers = { "user-agent": `confab/${version}`, ...(init.headers as Record<string, string>) };
  const answer = await fetch(at, {
    ...init,
    headers,
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  return { status: answer.status, headers: answer.headers, text: await textOf(answer, at) };
}

async function textOf({ body }: Response, at: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxAnswerBytes) throw new Unreadable(at);
  }
  return Buffer.concat(parts).toString("utf8");
}

function jsonIn({ text }: Asked): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<T>(shape: z.ZodType<T>, answer: Asked, at: string): T {
  const found = shape.safeParse(jsonIn(answer));
  if (!found.success) throw new Unreadable(at);
  return found.data;
}

/** The URL of what a request made. */
function locationIn({ headers }: Asked, at: string): string {
  const found = url.safeParse(headers.get("location"));
  if (!found.success) throw new Unreadable(at);
  return found.data;
}

const kindOf = (type = "") => /^urn:ietf:params:acme:error:(\w+)$/.exec(type)?.[1] ?? "";

function problemIn(answer: Asked, at: string): AcmeProblem {
  const found = problemShape.safeParse(jsonIn(answer)).data;
  const kind = kindOf(found?.type) || (answer.status === 429 ? "rateLimited" : "");
  const detail = found?.detail ?? `${new URL(at).host} answers ${answer.status}`;
  return new AcmeProblem(kind, detail, waitIn(answer.headers));
}

/** What `Retry-After` says, in seconds from now: a number, or a time. */
function waitIn(headers: Headers): number | null {
  const said = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(said)) return Number(said);
  const at = Date.parse(said);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function publicPartOf({ kty, crv, x, y }: JWK): JWK {
  return { kty, crv, x, y } as JWK;
}
