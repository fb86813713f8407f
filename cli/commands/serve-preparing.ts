// What the settings make of an opened organization before it is served, and what its first run creates.
import type { App } from "@/app.ts";
import type { CreatedRealm, NewRealm } from "@/foundation/realm-administration/actions.ts";
import type { OwnCertificate } from "@/operations/certificates/host.ts";
import type { CertificatePlan } from "@/operations/certificates/schema.ts";
import { backupPlanOf } from "../backups.ts";
import type { CommandCall } from "../command.ts";
import { presentProvider, providersOf } from "../providers.ts";
import { newSalt } from "./init.ts";
import type { ServeSettings } from "./serve-args.ts";

export async function sendMail(
  app: App,
  { smtp_url: url, mail_from }: ServeSettings,
  site: string,
): Promise<void> {
  if (url === undefined) return;
  const [{ localAddress }, { setMailServer }] = await Promise.all([
    import("@/foundation/realm-administration/queries.ts"),
    import("@/foundation/mail/host.ts"),
  ]);
  setMailServer(app.env, { url, from: mail_from ?? localAddress(app.system, { name: "noreply", site }) });
}

export async function beginFiles({ system, log }: App): Promise<void> {
  const { beginFiles } = await import("@/operations/file-moves/host.ts");
  await beginFiles(system, log);
}

/** Lets the server make backups by the schedule in confab.toml; returns whether it has one. */
export async function scheduleBackups(app: App, dataDir: string): Promise<boolean> {
  const plan = backupPlanOf(dataDir);
  if (!plan) return false;
  const { scheduleBackups } = await import("@/operations/backup/host.ts");
  await scheduleBackups(app.env, plan);
  return true;
}

/** Lets the server get its certificate by itself. */
export async function ownCertificate(
  app: App,
  { http_port: port }: ServeSettings,
  given: { plan: CertificatePlan; host: string; site: string; isNode: boolean },
): Promise<OwnCertificate> {
  const { beginCertificates } = await import("@/operations/certificates/host.ts");
  return beginCertificates(app.env, { ...given, port, log: app.log });
}

/** Not on a node: another one may have a domain. */
async function forgetCertificate({ system }: App, { domain, cluster }: ServeSettings): Promise<void> {
  if (domain !== undefined || cluster !== undefined) return;
  const { forgetCertificate } = await import("@/operations/certificates/actions.ts");
  await forgetCertificate(system);
}

/** Lets remote programs run commands here. */
export async function runCommands(app: App, allCommands: CommandCall["allCommands"]): Promise<void> {
  const { setRunner } = await import("@/operations/command-line/host.ts");
  setRunner(app.env, async (ctx, line) => {
    const [{ runForRemotePerson }, { consoleChange }, { consoleLook, consoleAct }, { exportNote }] =
      await Promise.all([
        import("./remote-runner.ts"),
        import("./console-change.ts"),
        import("./console-remote.ts"),
        import("./export-note.ts"),
      ]);
    const untyped = [consoleChange, consoleLook, consoleAct, exportNote];
    return runForRemotePerson([...(await allCommands()), ...untyped], ctx, line);
  });
}

/** Lets people sign in with the providers in confab.toml; returns them as /server_settings lists them. */
export async function letSignOn(app: App, dataDir: string): Promise<ReturnType<typeof presentProvider>[]> {
  const providers = providersOf(dataDir);
  if (providers.length > 0) {
    const { setProviders } = await import("@/outside/single-sign-on/host.ts");
    setProviders(app.env, providers);
  }
  return providers.map(presentProvider);
}

/** Binds identities of older versions to the issuers that confab.toml names. */
async function learnIssuers({ system, log }: App): Promise<void> {
  const { learnIssuers } = await import("@/outside/single-sign-on/actions.ts");
  const identities = await learnIssuers(system);
  if (identities > 0)
    log.warn("identities_closed", { identities, reason: "confab.toml names no provider for them" });
}

interface Preparing {
  site: string;
  sign_on: ReturnType<typeof presentProvider>[];
  /** When a first run began that has not ended yet (UNIX seconds). */
  begunAt: number | null;
}

/** The organization created by the first run, which may have been killed before it showed it; null on later runs. */
export async function prepare(
  app: App,
  settings: ServeSettings,
  { site, sign_on, begunAt }: Preparing,
): Promise<CreatedRealm | null> {
  const [{ localAddress }, { setServerOptions, setSite }] = await Promise.all([
    import("@/foundation/realm-administration/queries.ts"),
    import("@/foundation/realm-administration/actions.ts"),
  ]);
  const { org, owner_name, owner_email = localAddress(app.system, { name: "owner", site }) } = settings;
  const { language: default_language } = settings;
  const names = { name: org, owner_email, owner_name, default_language };
  const awaits_owner = settings.owner_email === undefined;
  const realm = { ...names, awaits_owner, avatar_salt: newSalt() };
  const created = await createOnce(app, realm, begunAt);
  const [{ openOrganization }, { isUnused }] = await Promise.all([
    import("@/personal/onboarding/actions.ts"),
    import("@/personal/onboarding/queries.ts"),
  ]);
  const isFirst = isUnused(app.system);
  const { web_public_channels, invitation_link_validity_minutes, invitations_per_day, smtp_url } = settings;
  const { webhook_networks = "", preview_networks = "", no_welcome } = settings;
  const invitations = { invitation_link_validity_minutes, invitations_per_day };
  const sends_mail = smtp_url !== undefined;
  const options = {
    webhook_networks,
    preview_networks,
    web_public_channels,
    no_welcome,
    sends_mail,
    sign_on,
  };
  await setServerOptions(app.system, { ...options, ...invitations });
  await learnIssuers(app);
  await forgetCertificate(app, settings);
  if (isFirst && !no_welcome) await openOrganization(app.system, site);
  else await setSite(app.system, site);
  return created;
}

export async function createOnce(
  { system }: Pick<App, "system">,
  realm: NewRealm,
  begunAt: number | null,
): Promise<CreatedRealm | null> {
  const [{ hasOrganization }, { continueRealm, createRealm }] = await Promise.all([
    import("@/foundation/realm-administration/queries.ts"),
    import("@/foundation/realm-administration/actions.ts"),
  ]);
  if (!hasOrganization(system)) return createRealm(system, realm);
  return begunAt === null ? null : continueRealm(system, { since: begunAt });
}

export async function loginLinkOf(
  app: Pick<App, "ctx">,
  { user }: CreatedRealm,
  site: string,
): Promise<string> {
  const { makeLoginLink } = await import("@/foundation/sessions/actions-links.ts");
  const asOwner = app.ctx({ kind: "user", id: user.user_id, client: "Internal" });
  return site + (await makeLoginLink(asOwner, user.user_id)).path;
}
