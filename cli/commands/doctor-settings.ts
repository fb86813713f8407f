// The checks of `confab doctor` on the server's settings, its certificate and its mail server.
import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { tryMailServer } from "@/foundation/mail/host.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type Finding, well } from "@/operations/diagnosis/schema.ts";
import { type ArgValues, read } from "../args.ts";
import { backupPlanOf } from "../backups.ts";
import { listUnlistedProxies } from "../lock.ts";
import { providersOf } from "../providers.ts";
import { serverSettings, settingsOfFile } from "../settings.ts";
import { certificatePlanOf, readCertificate } from "../tls.ts";

const day = 86_400;
const renewalDays = 14;
const renewal = "Renew it, then send the server SIGHUP.";

type Settings = ArgValues<typeof serverSettings>;

interface Looking {
  /** UNIX seconds. */
  now: number;
  /** Whether a person elsewhere asked, who need not know what confab.toml says. */
  isFromElsewhere: boolean;
}

/** Checks the settings as 'confab serve' would read them. */
export async function examineSettings(
  dataDir: string,
  { now, isFromElsewhere }: Looking,
): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = settingsOf(dataDir);
  } catch (error) {
    if (isFromElsewhere) return [unusable("Settings")];
    const remedy =
      "Change confab.toml or the environment; 'confab serve --help' says what each setting takes.";
    return [{ check: "Settings", verdict: "problem", finding: (error as Error).message, remedy }];
  }
  return [
    well("Settings", "They can be used."),
    ...ofDomain(settings),
    ...ofCertificate(settings, now),
    ...(await ofMailServer(settings)),
    ...(await ofProviders(dataDir, isFromElsewhere)),
    ...(await ofBackups(dataDir, isFromElsewhere)),
    ...ofProxies(dataDir, settings),
  ];
}

/** Proxies that the running server has noticed. */
function ofProxies(dataDir: string, { trusted_proxy: isProxy }: Settings): Finding[] {
  return listUnlistedProxies(dataDir).map((address) => ({
    check: "Reverse proxy",
    verdict: "warning",
    finding: isProxy?.(address)
      ? `The running server does not know yet that ${address} is in trusted_proxy.`
      : `Requests come from ${address} with the addresses of others, which trusted_proxy does not list: all people behind it count as one address, and limits meet them together.`,
    remedy: isProxy?.(address)
      ? "Restart it."
      : `If it is your reverse proxy, write trusted_proxy = "${address}" into confab.toml, with those that are there, and restart the server.`,
  }));
}

function settingsOf(dataDir: string): Settings {
  const result = read(serverSettings, {}, settingsOfFile(dataDir));
  return "problem" in result ? fail("BAD_REQUEST", `${result.problem}.`) : result.values;
}

/** Whether the server could get a certificate by itself; what became of that, the database knows. */
function ofDomain(settings: Settings): Finding[] {
  try {
    certificatePlanOf(settings);
    return [];
  } catch (error) {
    const remedy = "Change domain, acme_ca, tls_cert or tls_key in confab.toml or the environment.";
    return [{ check: "Domain", verdict: "problem", finding: (error as Error).message, remedy }];
  }
}

function ofCertificate({ tls_cert, tls_key, site }: Settings, now: number): Finding[] {
  if (tls_cert === undefined && tls_key === undefined) return [];
  const check = "Certificate";
  const problem = (finding: string, remedy: string): Finding[] => [
    { check, verdict: "problem", finding, remedy },
  ];
  if (tls_cert === undefined || tls_key === undefined) {
    return problem("tls_cert and tls_key go together.", "Name both files, or neither.");
  }
  let certificate: X509Certificate;
  try {
    certificate = readCertificate(tls_cert, tls_key);
  } catch (error) {
    const advice =
      "Name the files of one certificate and its key, which the user that the server runs as can read; the install " +
      "guide copies those of certbot to such a place.";
    return problem((error as Error).message, advice);
  }
  const name = site === undefined ? null : new URL(site).hostname.replaceAll(/[[\]]/g, "");
  if (name !== null && certificate.subjectAltName === undefined) {
    return problem(
      "It names its host only in its subject, where clients do not look.",
      `Get one for ${name} that has it as subject alternative name.`,
    );
  }
  if (name !== null && !isFor(certificate, name)) {
    return problem(
      `It is for ${namesOf(certificate)}, not for ${name}.`,
      `Get one for ${name}: clients refuse this one.`,
    );
  }
  return [validity(certificate, now)];
}

function isFor(certificate: X509Certificate, name: string): boolean {
  return (
    (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name, { subject: "never" })) !== undefined
  );
}

function namesOf({ subjectAltName = "" }: X509Certificate): string {
  const names = subjectAltName.split(", ").map((entry) => entry.slice(entry.indexOf(":") + 1));
  return names.join(", ");
}

function validity({ validFrom, validTo }: X509Certificate, now: number): Finding {
  const check = "Certificate";
  const [from, to] = [secondsOf(validFrom), secondsOf(validTo)];
  if (from > now) {
    const remedy = "Set this machine's clock, or use the certificate from then on.";
    return { check, verdict: "problem", finding: `It is valid only from ${dateOf(from)} on.`, remedy };
  }
  if (to <= now) {
    return { check, verdict: "problem", finding: `It expired on ${dateOf(to)}.`, remedy: renewal };
  }
  const days = Math.floor((to - now) / day);
  const finding = `It is valid for ${days === 1 ? "1 more day" : `${days} more days`}, until ${dateOf(to)}.`;
  return days < renewalDays ? { check, verdict: "warning", finding, remedy: renewal } : well(check, finding);
}

const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);
const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

async function ofMailServer({ smtp_url }: Settings): Promise<Finding[]> {
  if (smtp_url === undefined) return [];
  const check = "Mail server";
  const problem = await tryMailServer(smtp_url);
  if (problem === null) return [well(check, `${new URL(smtp_url).host} takes mails.`)];
  const remedy = "Look at smtp_url: its scheme, host, port, user name and password.";
  return [{ check, verdict: "problem", finding: `${new URL(smtp_url).host} ${problem}.`, remedy }];
}

const unusable = (check: string): Finding => ({
  check,
  verdict: "problem",
  finding: "The server could not start with what confab.toml and the environment say of it now.",
  remedy: "'confab config' and 'confab doctor' say what is wrong, on the server's machine.",
});

/** Tries the place of the schedule in confab.toml; what became of its backups, the database knows. */
async function ofBackups(dataDir: string, isFromElsewhere: boolean): Promise<Finding[]> {
  const check = "Place of backups";
  const remedy = "Look at the table [backup] of confab.toml; docs/backup.md says what it takes.";
  try {
    const plan = backupPlanOf(dataDir);
    if (!plan) return [];
    const { tryPlan } = await import("@/operations/backup/host.ts");
    const address = await tryPlan(plan);
    return [well(check, isFromElsewhere ? "It can be reached." : `${address} can be reached.`)];
  } catch (error) {
    if (isFromElsewhere) return [unusable(check)];
    return [{ check, verdict: "problem", finding: (error as Error).message, remedy }];
  }
}

async function ofProviders(dataDir: string, isFromElsewhere: boolean): Promise<Finding[]> {
  const check = "Single sign-on";
  const remedy = "Look at the tables [oidc.NAME] of confab.toml; the guide on single sign-on has examples.";
  try {
    const providers = providersOf(dataDir);
    const { tryProvider } = await import("@/outside/single-sign-on/host.ts");
    return await Promise.all(
      providers.map(async (provider): Promise<Finding> => {
        const { host } = new URL(provider.issuer);
        const problem = await tryProvider(provider);
        if (problem === null) return well(check, `${provider.name}: ${host} signs people in.`);
        return { check, verdict: "problem", finding: `${provider.name}: ${host} ${problem}.`, remedy };
      }),
    );
  } catch (error) {
    if (isFromElsewhere) return [unusable(check)];
    return [{ check, verdict: "problem", finding: (error as Error).message, remedy }];
  }
}
