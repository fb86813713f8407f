import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { CertificatePlan } from "@/operations/certificates/schema.ts";
import type { Certificate } from "@/server.ts";
import { failUsage } from "./misuse.ts";

/** Reads certificate and key at each call; throws if they are unreadable or do not match. */
export function certificateOf(given: {
  tls_cert?: string;
  tls_key?: string;
}): (() => Certificate) | undefined {
  const { tls_cert, tls_key } = given;
  if (tls_cert === undefined && tls_key === undefined) return undefined;
  if (tls_cert === undefined || tls_key === undefined) failUsage("--tls-cert and --tls-key go together");
  const read = () => {
    const pair = { cert: textOf(tls_cert), key: textOf(tls_key) };
    checkPair(pair, tls_cert, tls_key);
    return pair;
  };
  read();
  return read;
}

interface DomainSettings {
  domain?: string;
  tls_cert?: string;
  acme_directory: string;
  acme_ca?: string;
}

/** How the server gets its certificate by itself; null without a domain. Throws if the settings do not fit each other. */
export function certificatePlanOf(given: DomainSettings): CertificatePlan | null {
  const { domain, tls_cert, acme_directory: directory, acme_ca } = given;
  if (domain === undefined) return null;
  if (tls_cert !== undefined)
    failUsage("--domain gets a certificate by itself: leave --tls-cert and --tls-key out, or --domain");
  const ca = acme_ca === undefined ? undefined : textOf(acme_ca);
  if (acme_ca !== undefined && ca !== undefined)
    parseOrFail(acme_ca, "a PEM certificate", () => new X509Certificate(ca));
  return { domain, directory, ca };
}

/** The public address of a server that gets its certificate by itself. */
export function siteOf(plan: CertificatePlan | null, port: number): string | undefined {
  return plan ? `https://${plan.domain}${port === 443 ? "" : `:${port}`}` : undefined;
}

/** Reads the certificate; throws as `certificateOf` does. */
export function readCertificate(tls_cert: string, tls_key: string): X509Certificate {
  return checkPair({ cert: textOf(tls_cert), key: textOf(tls_key) }, tls_cert, tls_key);
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "you may not read it",
  EISDIR: "it is a folder",
};

/** Throws a sentence if the file cannot be read. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    return fail("BAD_REQUEST", `${path} cannot be read: ${reasons[code] ?? message}.`);
  }
}

function checkPair(pair: Certificate, certPath: string, keyPath: string): X509Certificate {
  const certificate = parseOrFail(certPath, "a PEM certificate", () => new X509Certificate(pair.cert));
  const key = parseOrFail(keyPath, "a PEM private key without a passphrase", () =>
    createPrivateKey(pair.key),
  );
  if (!certificate.checkPrivateKey(key)) {
    fail("BAD_REQUEST", `${keyPath} is not the private key of the certificate in ${certPath}.`);
  }
  return certificate;
}

function parseOrFail<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    return fail("BAD_REQUEST", `${path} does not hold ${what}.`);
  }
}
