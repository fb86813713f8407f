// Why no certificate was obtained, in words, and what helps.
import { certificateFault } from "@/kernel/http/certificates.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { CertificateFault, type CertificatePlan, type Trouble } from "./schema.ts";

/** A problem that the authority reports; `kind` is the last part of its type, empty if it is of no known form. */
export class AcmeProblem extends Error {
  constructor(
    readonly kind: string,
    readonly detail: string,
    readonly waitSeconds: number | null,
  ) {
    super(`${kind}: ${detail}`);
  }
}

/** An answer that does not have the form that ACME demands. */
export class Unreadable extends Error {
  constructor(readonly at: string) {
    super(at);
  }
}

export function noDirectory(directory: string, status: number): CertificateFault {
  const how = status === 200 ? "" : ` (it answers ${status})`;
  return new CertificateFault({
    reason: `There is no ACME directory at ${directory}${how}.`,
    remedy: "Set acme_directory to the URL that the authority's documents give.",
  });
}

const dnsRemedy = (domain: string) =>
  `Let the A and AAAA records of ${domain} lead to this machine, and to no other.`;

/** By the kind of problem. The authority's own words follow the reason. */
const problems: Record<string, (domain: string) => Trouble> = {
  dns: (domain) => ({ reason: `The authority does not find ${domain} in DNS`, remedy: dnsRemedy(domain) }),
  connection: (domain) => ({
    reason: `The authority cannot connect to port 80 of ${domain}`,
    remedy: `Let port 80 through firewall and router to this machine. ${dnsRemedy(domain)}`,
  }),
  unauthorized: (domain) => ({
    reason: `A different server answers at http://${domain}`,
    remedy: dnsRemedy(domain),
  }),
  rateLimited: (domain) => ({
    reason: `The authority takes no more requests for ${domain} for now`,
    remedy: "Wait: the server tries again by itself at that time.",
  }),
  caa: (domain) => ({
    reason: `A CAA record in DNS forbids this authority to issue certificates for ${domain}`,
    remedy: "Add the authority to that record, or set acme_directory to one that it allows.",
  }),
  rejectedIdentifier: (domain) => ({
    reason: `The authority issues no certificates for ${domain}`,
    remedy: "Check the domain, or set acme_directory to another authority.",
  }),
  externalAccountRequired: () => ({
    reason: "The authority issues certificates only to accounts that were made on its site",
    remedy: "Set acme_directory to another authority: Confab cannot make itself known to this one.",
  }),
  unsupportedChallenge: (domain) => ({
    reason: `The authority does not offer to look at port 80 of ${domain} (http-01)`,
    remedy: "Set acme_directory to another authority.",
  }),
  userActionRequired: () => ({
    reason: "The authority wants something done on its site first",
    remedy: "Do what it says.",
  }),
  timeout: () => ({
    reason: "The authority has not finished its work in time",
    remedy: "Wait: the server tries again by itself.",
  }),
  serverInternal: () => ({
    reason: "The authority has a fault of its own",
    remedy: "Wait: the server tries again by itself.",
  }),
};
const alike: Record<string, string> = { incorrectResponse: "unauthorized", tls: "connection" };
const unknown = (): Trouble => ({
  reason: "The authority refuses",
  remedy: "See what it says; the server tries again by itself.",
});

const maxDetail = 400;

function troubleOf({ kind, detail }: AcmeProblem, domain: string): Trouble {
  const { reason, remedy } = (problems[alike[kind] ?? kind] ?? unknown)(domain);
  const said = stripControlCharacters(detail).trim().slice(0, maxDetail).replace(/\.$/, "");
  return { reason: said === "" ? `${reason}.` : `${reason}: ${said}.`, remedy };
}

const silences: Record<string, string> = {
  ConnectionRefused: "refuses the connection",
  ECONNREFUSED: "refuses the connection",
  ConnectionClosed: "ends the connection",
  ECONNRESET: "ends the connection",
  ENOTFOUND: "is not found in DNS",
  TimeoutError: "does not answer in time",
};

/** Why a try ended; null for what is no fault of the network, of the authority or of the settings. */
export function faultOf(error: unknown, { domain, directory }: CertificatePlan): CertificateFault | null {
  if (error instanceof CertificateFault) return error;
  if (error instanceof AcmeProblem) return new CertificateFault(troubleOf(error, domain), error.waitSeconds);
  if (error instanceof Unreadable)
    return new CertificateFault({
      reason: `${error.at} gives an answer that is not one of ACME.`,
      remedy: "Check acme_directory, and whether a proxy answers in its place.",
    });
  const { host } = new URL(directory);
  const distrust = certificateFault(error, "acme_ca");
  if (distrust !== null)
    return new CertificateFault({
      reason: `The certificate of the authority's own server, ${host}, ${distrust}.`,
      remedy: "If it is your organization's authority, name its root certificate with acme_ca.",
    });
  const { code = "", name, message } = error as Error & { code?: string };
  const silence = silences[code] ?? silences[name];
  if (silence === undefined && code === "") return null;
  return new CertificateFault({
    reason: `The authority's server, ${host}, ${silence ?? `cannot be reached (${message})`}.`,
    remedy: "Check acme_directory, and that this machine may connect to it.",
  });
}
