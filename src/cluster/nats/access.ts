// How a node connects to NATS, and why NATS or the node may refuse.
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
} from "@nats-io/transport-node";
import { certificateFault } from "@/kernel/http/certificates.ts";
import { withRetries } from "../shared-log.ts";

export interface NatsAccess {
  servers: string[];
  /** The content of a credentials file (.creds). */
  credentials?: string | undefined;
  /** CA certificates (PEM) of the nats-servers, unless a public authority signs theirs. */
  ca?: string | undefined;
}

/** What is wrong takes the operator to mend it. */
export class Refused extends Error {}

export interface Connected {
  readonly nc: NatsConnection;
  /** For other connections with the same access. */
  readonly how: ConnectionOptions;
  /** Makes `nc` connect to this server when it connects next. */
  readonly prefer: (server: string) => void;
}

/** Keeps trying for a while, unless what is wrong takes the operator to mend it; that is what the error then says. */
export async function connectAs(name: string, access: NatsAccess, patienceMs?: number): Promise<Connected> {
  let preferred: string | null = null;
  const how = {
    ...accessOf(access),
    name,
    maxReconnectAttempts: -1,
    // Credentials may be renewed at the nats-servers before or after here.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 200,
    timeout: 2_000,
    pingInterval: 1_000,
    maxPingOut: 2,
    // Otherwise, each request makes two stack traces, in case it fails.
    noAsyncTraces: true,
  } satisfies ConnectionOptions;
  const reconnectToServer: ConnectionOptions["reconnectToServer"] = (all) => {
    const found = all.find(({ listen }) => listen === preferred);
    preferred = null;
    return found ?? null;
  };
  const prefer = (server: string) => {
    preferred = server;
  };
  try {
    const nc = await connecting({ ...how, reconnectToServer }, patienceMs);
    return { nc, how, prefer };
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal === null ? error : new Refused(refusal, { cause: error });
  }
}

function connecting(how: ConnectionOptions, patienceMs?: number): Promise<NatsConnection> {
  return withRetries(
    () => connect(how),
    (error) => refusalOf(error) !== null,
    patienceMs,
  );
}

function refusalOf(error: unknown): string | null {
  const fault = certificateFault(error, "nats_ca");
  if (fault) return `The certificate of the nats-servers ${fault}.`;
  const text = String(error);
  if (/bad credentials|unable to parse credentials/i.test(text))
    return "The file of nats_credentials is no credentials file (.creds) of NATS.";
  if (!/authoriz|authenti/i.test(text)) return null;
  return (
    "The nats-servers refuse this node's credentials. Check nats_credentials, or the user and password in the addresses " +
    "of the setting cluster."
  );
}

/** The addresses of the servers, and our credentials: an address may contain a name and password. */
function accessOf({ servers, credentials, ca }: NatsAccess): ConnectionOptions {
  const urls = servers.map((one) => new URL(one.includes("://") ? one : `nats://${one}`));
  const named = urls.find(({ username }) => username !== "");
  const isSecure = ca !== undefined || urls.some(({ protocol }) => protocol === "tls:");
  return {
    servers: urls.map(({ host }) => host),
    ...(named ? { user: decodeURIComponent(named.username), pass: decodeURIComponent(named.password) } : {}),
    ...(credentials === undefined
      ? {}
      : { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }),
    ...(isSecure ? { tls: ca === undefined ? {} : { ca } } : {}),
  };
}
