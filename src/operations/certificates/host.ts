// What the process that serves does with certificates: it gets one by itself, serves it, and takes a renewed one.
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import type { Log } from "@/kernel/lib/log.ts";
import type { AuthorityPatience } from "./authority.ts";
import { challengePort } from "./port.ts";
import { obtainNow, setCertificatePlan } from "./running.ts";
import { type CertificatePlan, certificateSettings } from "./schema.ts";
import { type Pair, servedOf } from "./served.ts";

export interface OwnCertificate {
  /** The current pair. */
  certificate: () => Pair;
  /** Tries at once to get or renew it, unless the authority itself has said to wait. */
  renew(ctx: Ctx): Promise<void>;
  close(): void;
}

interface Beginning {
  plan: CertificatePlan;
  host: string;
  /** Where the authority is answered. */
  port: number;
  site: string;
  log: Log;
  /** Whether the leader, another process perhaps, gets the certificate for all nodes. */
  isNode?: boolean;
  patience?: AuthorityPatience;
}

/** Lets this process get its certificate by itself, and answer the authority. The first try comes with the server's jobs. */
export async function beginCertificates(reads: Reads, beginning: Beginning): Promise<OwnCertificate> {
  const { plan, host, port, site, log, isNode = false, patience } = beginning;
  const stored = () => {
    const { obtained } = certificateSettings.read(reads);
    return obtained?.domain === plan.domain ? obtained : null;
  };
  const interim = stored() ? null : await (await import("./x509.ts")).makeSelfSigned(plan.domain);
  const read = (): Pair => {
    const found = stored() ?? interim;
    if (!found) throw new Error("The stored certificate was removed.");
    return { cert: found.cert, key: found.key };
  };
  Object.assign(servedOf(reads), { read, interim });
  const door = challengePort(reads, {
    host,
    port,
    site,
    hasCertificate: () => stored() !== null,
    isNode,
    log,
  });
  setCertificatePlan(reads, { plan, portTrouble: door.open, ...(patience && { patience }) });
  const trouble = await door.open();
  if (trouble) log.error("certificate", { error: `${trouble.reason} ${trouble.remedy}` });
  const renew = async (ctx: Ctx) => {
    const done = await obtainNow(ctx).catch((error: Error) =>
      log.error("certificate", { obtained: false, error: error.message }),
    );
    if (done) log.info("certificate", done);
  };
  return { certificate: read, renew, close: door.close };
}

/** Notes which certificate new connections get, and how to take another one. */
export function noteCertificateInUse(reads: Reads, cert: string, reload: () => void): void {
  Object.assign(servedOf(reads), { cert, reload });
}

/** The job: takes a certificate that is new in the database. */
export function takeRenewedCertificate(reads: Reads): void {
  const served = servedOf(reads);
  const cert = served.cert === null ? undefined : served.read?.().cert;
  if (cert === undefined || cert === served.cert) return;
  served.cert = cert;
  served.reload();
}
