// Gets and renews the certificate: when a try is due, and what one does.
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Ctx, Reads, ReadsNow } from "@/kernel/core/context.ts";
import { asSystem } from "@/kernel/core/operation.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { LogFields } from "@/kernel/lib/log.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { keepAccount, recordFailedTry, recordObtained, setChallenge } from "./actions.ts";
import type { AuthorityPatience } from "./authority.ts";
import {
  CertificateFault,
  type CertificatePlan,
  certificateSettings,
  type ObtainedCertificate,
  type Trouble,
} from "./schema.ts";
import { secondsOf } from "./served.ts";
import { faultOf } from "./troubles.ts";

interface Obtaining {
  plan: CertificatePlan | null;
  patience: AuthorityPatience;
  running: AbortController | null;
  /** Whether somebody asked for a try now, as by starting the server. This ends pauses that this server set, but not those of the authority. */
  isAsked: boolean;
  /** When this process last began a try; it is not stored where the disk is full. */
  beganAt: number;
  /** What keeps this process from answering at port 80; null if nothing does. */
  portTrouble: () => Promise<Trouble | null>;
}

const usualPatience: AuthorityPatience = { requestMs: 30_000, workMs: 180_000, pauseMs: 1_000 };

const obtainingOf = perApp(
  (): Obtaining => ({
    plan: null,
    patience: usualPatience,
    running: null,
    isAsked: false,
    beganAt: 0,
    portTrouble: async () => null,
  }),
);

export interface Obtains {
  plan: CertificatePlan;
  portTrouble: () => Promise<Trouble | null>;
  patience?: AuthorityPatience;
}

/** Lets this process get a certificate, and sees to the first try at once. */
export function setCertificatePlan(
  reads: Reads,
  { plan, portTrouble, patience = usualPatience }: Obtains,
): void {
  Object.assign(obtainingOf(reads), { plan, portTrouble, patience, isAsked: true });
}

/** Ends a try that is under way. */
export function stopObtaining(reads: Reads): void {
  obtainingOf(reads).running?.abort();
}

/** Renewed once a third of its time is left, as authorities ask. */
const renewalAt = ({ valid_from, expires_at }: ObtainedCertificate) =>
  Math.floor(expires_at - (expires_at - valid_from) / 3);

/** The stored certificate, if it is for the domain of this process and from its authority. */
function usable(reads: Reads, { domain, directory }: CertificatePlan): ObtainedCertificate | null {
  const { obtained } = certificateSettings.read(reads);
  return obtained?.domain === domain && obtained.directory === directory ? obtained : null;
}

/** When the next try is due, in UNIX seconds: Infinity without a plan. */
export function dueAt(reads: Reads): number {
  const { plan } = obtainingOf(reads);
  if (!plan) return Number.POSITIVE_INFINITY;
  const obtained = usable(reads, plan);
  const due = obtained ? renewalAt(obtained) : 0;
  const { failed } = certificateSettings.read(reads);
  return failed ? Math.max(due, failed.retry_at) : due;
}

/** After these seconds, a start of the server or a signal may try again, so that restarting in a loop asks the authority little. */
const leastPause = 60;

function isDue(reads: ReadsNow, { plan, isAsked, beganAt }: Obtaining): boolean {
  if (!plan || (reads.now >= beganAt && reads.now < beganAt + leastPause)) return false;
  const { failed } = certificateSettings.read(reads);
  if (reads.now >= dueAt(reads)) return true;
  const obtained = usable(reads, plan);
  const isNeeded = !obtained || reads.now >= renewalAt(obtained);
  if (!failed || !isNeeded) return false;
  // The clock was set back to before the last try: nobody knows how long ago that was.
  if (reads.now < failed.at) return true;
  return isAsked && !failed.is_limit && reads.now >= failed.at + leastPause;
}

/** The job: gets a certificate if a try is due. A failure is logged, and noted for the next try. */
export async function obtainIfDue(ctx: Ctx): Promise<LogFields | undefined> {
  const obtaining = obtainingOf(ctx);
  const { plan, running } = obtaining;
  if (!plan || running || !isDue(ctx, obtaining)) return undefined;
  const ending = new AbortController();
  Object.assign(obtaining, { running: ending, isAsked: false, beganAt: ctx.now });
  const system = asSystem(ctx);
  try {
    const obtained = await obtain(system, { ...obtaining, plan, signal: ending.signal });
    await recordObtained(system, obtained);
    return {
      obtained: true,
      domain: plan.domain,
      expires: new Date(obtained.expires_at * 1000).toISOString(),
    };
  } catch (error) {
    if (ending.signal.aborted) return undefined;
    const fault = faultOf(error, plan);
    const { trouble, waitSeconds } = fault ?? ownFault(error);
    await recordFailedTry(system, { trouble, waitSeconds });
    if (!fault) throw error;
    return fail("SERVER_NOT_READY", `There is no new certificate: ${trouble.reason} ${trouble.remedy}`);
  } finally {
    obtaining.running = null;
    if (!ending.signal.aborted && certificateSettings.read(ctx).challenge) await setChallenge(system, null);
  }
}

/** It may come again at each try, which must not ask the authority more often for that. */
const ownFault = (error: unknown) =>
  new CertificateFault({
    reason: `The server has a fault of its own: ${error}.`,
    remedy: "Its log says more.",
  });

/** Tries at once, unless the authority itself has said to wait. */
export async function obtainNow(ctx: Ctx): Promise<LogFields | undefined> {
  obtainingOf(ctx).isAsked = true;
  return obtainIfDue(ctx);
}

type Try = Pick<Obtaining, "patience" | "portTrouble"> & { plan: CertificatePlan; signal: AbortSignal };

async function obtain(ctx: Ctx, { plan, patience, portTrouble, signal }: Try): Promise<ObtainedCertificate> {
  const trouble = await portTrouble();
  if (trouble) throw new CertificateFault(trouble);
  const [{ openAccount }, { newPrivateKey, newRequest }] = await Promise.all([
    import("./authority.ts"),
    import("./x509.ts"),
  ]);
  const { domain, directory, ca } = plan;
  const accountKey = certificateSettings.read(ctx).account ?? (await keepAccount(ctx, await newPrivateKey()));
  const account = await openAccount({ directory, ca, accountKey, signal }, patience);
  const { request, key } = await newRequest(domain);
  const cert = await account.order(domain, request, (token) =>
    setChallenge(ctx, { token, answer: account.answerTo(token) }),
  );
  return checked({ domain, directory, cert, key }, ctx.now);
}

/** What the authority gave, if it can be served. */
function checked(
  given: Pick<ObtainedCertificate, "domain" | "directory" | "cert" | "key">,
  now: number,
): ObtainedCertificate {
  const { domain, cert, key } = given;
  const refuse = (reason: string): never => {
    throw new CertificateFault({ reason, remedy: "Set acme_directory to an authority that works." });
  };
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return refuse("The authority gave something that is not a certificate.");
  }
  if (!certificate.checkPrivateKey(createPrivateKey(key)))
    refuse("The authority gave a certificate for another key.");
  if (certificate.checkHost(domain, { subject: "never" }) === undefined)
    refuse(`The authority gave a certificate that is not for ${domain}.`);
  const valid_from = secondsOf(certificate.validFrom);
  const expires_at = secondsOf(certificate.validTo);
  if (expires_at <= now)
    refuse("The authority gave a certificate that has expired, or this machine's clock is wrong.");
  return { ...given, valid_from, expires_at };
}
