// A small certificate authority that speaks ACME: it checks nonces and signatures, fetches the challenge, and signs. A test says
// how it misbehaves.
import "reflect-metadata"; // which @peculiar/x509 needs before it is loaded
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import {
  BasicConstraintsExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { calculateJwkThumbprint, flattenedVerify, importJWK, type JWK } from "jose";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const day = 86_400;

export interface AcmeReply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | object;
}

/** The parts of the protocol, as a test names them. */
export type AcmeStep =
  | "directory"
  | "nonce"
  | "account"
  | "order"
  | "authorization"
  | "challenge"
  | "finalize"
  | "order-state"
  | "certificate";

export interface AcmeOptions {
  /** UNIX seconds. */
  now?: () => number;
  days?: number;
  /** The port where the challenge is fetched. */
  httpPort: number;
  /** Where the challenge is fetched: each of these hosts must answer. 127.0.0.1 alone, unless they are given. */
  httpHosts?: readonly string[];
  tls?: { cert: string; key: string };
  /** What it answers instead; "never" for no answer at all. */
  misbehave?: (step: AcmeStep, times: number) => AcmeReply | "never" | undefined;
}

export interface AcmeServer {
  directory: string;
  /** Its own certificate, which clients have to trust (PEM). */
  root: string;
  /** The steps that were asked for. */
  steps: AcmeStep[];
  /** The names of the certificates that were issued. */
  issued: string[];
  stop(): Promise<void>;
}

export const problem = (kind: string, detail: string, status = 403): AcmeReply => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: { type: `urn:ietf:params:acme:error:${kind}`, detail },
});

interface Order {
  domain: string;
  token: string;
  state: "pending" | "ready" | "valid";
  fault: object | null;
  asked: number;
  chain: string;
}

export async function acmeServer(options: AcmeOptions): Promise<AcmeServer> {
  const {
    httpPort,
    httpHosts = ["127.0.0.1"],
    tls,
    now = () => Math.floor(Date.now() / 1000),
    days = 90,
  } = options;
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["Authority of the tests"] }],
    keys,
    notBefore: new Date((now() - day) * 1000),
    notAfter: new Date((now() + 3650 * day) * 1000),
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const steps: AcmeStep[] = [];
  const issued: string[] = [];
  const counts = new Map<AcmeStep, number>();
  const nonces = new Set<string>();
  const accounts = new Map<string, JWK>();
  const orders = new Map<string, Order>();
  let base = "";
  let numbers = 0;

  const stepOf = (path: string): AcmeStep => path.split("/")[1] as AcmeStep;
  const newNonce = () => {
    const nonce = `nonce-${++numbers}`;
    nonces.add(nonce);
    return nonce;
  };

  /** The payload of a signed request; throws a reply if the request is not right. */
  async function payloadOf(
    body: string,
    at: string,
  ): Promise<{ payload: string; account: string; jwk: JWK }> {
    const jws = JSON.parse(body);
    const head = JSON.parse(Buffer.from(jws.protected, "base64url").toString());
    if (!nonces.delete(head.nonce)) throw problem("badNonce", "The nonce is not known", 400);
    if (head.url !== base + at) throw problem("unauthorized", "The URL is another one", 401);
    const jwk: JWK | undefined = head.jwk ?? accounts.get(head.kid);
    if (!jwk) throw problem("accountDoesNotExist", "No such account", 400);
    const { payload } = await flattenedVerify(jws, await importJWK(jwk, "ES256"));
    const account = `${base}/account/${await calculateJwkThumbprint(jwk)}`;
    return { payload: Buffer.from(payload).toString(), account, jwk };
  }

  const presentOrder = (id: string, { state, fault }: Order) => ({
    status: fault ? "invalid" : state,
    authorizations: [`${base}/authorization/${id}`],
    finalize: `${base}/finalize/${id}`,
    ...(state === "valid" && { certificate: `${base}/certificate/${id}` }),
    ...(fault && { error: fault }),
  });

  async function look(order: Order, thumbprint: string): Promise<void> {
    const path = `/.well-known/acme-challenge/${order.token}`;
    const wanted = `${order.token}.${thumbprint}`;
    const answers = httpHosts.map((host) =>
      fetch(`http://${host}:${httpPort}${path}`, { redirect: "manual" }).then(
        (answer) => answer.text(),
        () => null,
      ),
    );
    const wrong = (await Promise.all(answers)).filter((found) => found !== wanted);
    const [found = null] = wrong;
    if (wrong.length === 0) order.state = "ready";
    else {
      const type = `urn:ietf:params:acme:error:${found === null ? "connection" : "unauthorized"}`;
      order.fault = { type, detail: found === null ? "Connection refused" : "The answer is another one" };
    }
  }

  async function sign(order: Order, csr: string): Promise<void> {
    const request = new Pkcs10CertificateRequest(Buffer.from(csr, "base64url"));
    if (!(await request.verify())) throw problem("badCSR", "The signature is wrong", 400);
    const certificate = await X509CertificateGenerator.create({
      serialNumber: (++numbers).toString(16).padStart(4, "0"),
      subject: [{ CN: [order.domain] }],
      issuer: authority.subjectName,
      notBefore: new Date((now() - 60) * 1000),
      notAfter: new Date((now() + days * day) * 1000),
      publicKey: request.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: order.domain }])],
    });
    order.chain = `${certificate.toString("pem")}\n${authority.toString("pem")}\n`;
    order.state = "valid";
    issued.push(order.domain);
  }

  async function answer(path: string, method: string, body: string): Promise<AcmeReply> {
    const step = stepOf(path);
    if (step === "directory")
      return {
        body: { newNonce: `${base}/nonce`, newAccount: `${base}/account`, newOrder: `${base}/order` },
      };
    if (step === "nonce") return { status: method === "HEAD" ? 200 : 204 };
    const { payload, account, jwk } = await payloadOf(body, path);
    if (step === "account") {
      const isKnown = accounts.has(account);
      accounts.set(account, jwk);
      return { status: isKnown ? 200 : 201, headers: { location: account }, body: { status: "valid" } };
    }
    if (step === "order") {
      const id = String(++numbers);
      const token = crypto.randomUUID();
      const domain = JSON.parse(payload).identifiers[0].value;
      const order: Order = { domain, token, state: "pending", fault: null, asked: 0, chain: "" };
      orders.set(id, order);
      return {
        status: 201,
        headers: { location: `${base}/order-state/${id}` },
        body: presentOrder(id, order),
      };
    }
    const id = path.split("/")[2] ?? "";
    const order = orders.get(id);
    if (!order) return problem("malformed", "No such thing", 404);
    if (step === "challenge") {
      await look(order, await calculateJwkThumbprint(jwk));
      return { body: { type: "http-01", status: "processing", url: base + path, token: order.token } };
    }
    if (step === "authorization") {
      const status = order.fault ? "invalid" : order.state === "pending" ? "pending" : "valid";
      const challenge = { type: "http-01", url: `${base}/challenge/${id}`, token: order.token };
      const other = { type: "dns-01", url: `${base}/other/${id}`, token: order.token };
      const headers = { "retry-after": "0" };
      return {
        headers,
        body: { status, challenges: [other, { ...challenge, error: order.fault ?? undefined }] },
      };
    }
    if (step === "finalize") {
      await sign(order, JSON.parse(payload).csr);
      return { body: { ...presentOrder(id, order), status: "processing" } };
    }
    if (step === "certificate") return { body: order.chain };
    return { headers: { "retry-after": "0" }, body: presentOrder(id, order) };
  }

  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = "/", method = "GET" } = request;
    const step = stepOf(url);
    steps.push(step);
    counts.set(step, (counts.get(step) ?? 0) + 1);
    const wrong = options.misbehave?.(step, counts.get(step) ?? 0);
    if (wrong === "never") return;
    const reply =
      wrong ??
      (await answer(url, method, Buffer.concat(chunks).toString()).catch((error) => error as AcmeReply));
    const { status = 200, headers, body = "" } = reply;
    response.writeHead(status, { "replay-nonce": newNonce(), ...headers });
    response.end(method === "HEAD" ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  };
  const server = tls ? createHttps(tls, listener) : createHttp(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  base = `${tls ? "https" : "http"}://localhost:${(server.address() as AddressInfo).port}`;
  return {
    directory: `${base}/directory`,
    root: authority.toString("pem"),
    steps,
    issued,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
