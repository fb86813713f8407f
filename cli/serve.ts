import { resolve } from "node:path";
import { z } from "zod";
import type { App } from "@/app.ts";
import type { StartedNode } from "@/cluster/host.ts";
import type { CreatedRealm } from "@/foundation/realm/actions.ts";
import { organizationName } from "@/foundation/realm/schema.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import { fail } from "@/kernel/errors.ts";
import type { Log } from "@/kernel/log.ts";
import { clearStaging } from "@/operations/data-folder/host.ts";
import { checkNotLost } from "@/operations/data-folder/queries.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { accountWithKey } from "./accounts.ts";
import { flag, option, type Values } from "./args.ts";
import { clusterOf } from "./cluster-settings.ts";
import { type Call, standalone } from "./command.ts";
import { createdShape, newSalt } from "./init.ts";
import { lockFolder, noteAddress } from "./lock.ts";
import { atLeast, logLine } from "./log-format.ts";
import { misused } from "./misuse.ts";
import { dataOption, openApp } from "./organization.ts";
import { bold, complain, facts, quoted } from "./output.ts";
import { forgetToken, noteToken } from "./own-node.ts";
import { providersOf, shownProvider } from "./providers.ts";
import { s3In } from "./s3.ts";
import {
  accountsOf,
  checkDevelopment,
  developmentBanner,
  fillEmpty,
  type SampleAccount,
  sampleAccountShape,
} from "./sample.ts";
import { serverSettings, settingsOfFile } from "./settings.ts";
import { certificateOf } from "./tls.ts";

const args = {
  ...serverSettings,
  dev: flag(z.boolean().default(false), "development mode: creates a sample organization in an empty folder"),
  org: option("NAME", organizationName.default("Confab"), "on the first run: name of the organization"),
  owner_email: option(
    "EMAIL",
    emailAddress.optional(),
    "on the first run: owner's address (default: owner@HOST)",
  ),
  owner_name: option("NAME", fullName.default("Owner"), "on the first run: owner's name"),
};
type Settings = Values<typeof args>;

interface Started {
  site: string;
  /** The server's address on this machine, even behind a proxy. */
  local: string;
  dataDir: string;
  created: CreatedRealm | null;
  /** Signs the owner of a new organization in, once. */
  loginLink: string | null;
  /** Whether the server does not know its public address. */
  isUnnamed: boolean;
  /** The accounts that need no password; null unless in development mode. */
  accounts: SampleAccount[] | null;
}

const startedShape = z.union([
  createdShape.extend({ site: z.string(), login_link: z.string() }),
  z.object({ site: z.string(), development: z.literal(true), accounts: z.array(sampleAccountShape) }),
  z.object({ site: z.string() }),
]);

export default [
  standalone({
    name: "serve",
    summary: "Start the server",
    about:
      "Starts the server. If the data folder holds no organization yet, creates one and shows its owner's API key and a link for signing in. " +
      "Stop it with Ctrl+C or SIGTERM; it finishes pending requests first. The log goes to standard error as JSON lines.",
    examples: [
      "confab serve",
      "confab serve --data /srv/confab --port 8080 --site https://chat.example.com",
      "confab serve --dev --data /tmp/sample",
      "confab serve --org 'Ada & Co' --owner-email ada@example.com --owner-name 'Ada Byron'",
    ],
    args,
    result: startedShape,
    settings: settingsOfFile,
    async run({ dataDir, show, allCommands }, settings) {
      if (settings.dev) checkDevelopment(settings);
      // Must come before locking, which writes to the folder: the check looks at what earlier processes left.
      checkNotLost(dataDir);
      const unlock = lockFolder(dataDir);
      try {
        clearStaging(dataDir);
        if (settings.dev) await fillEmpty(dataDir);
        const { stopped, ...started } = await start(dataDir, settings, allCommands);
        noteAddress(dataDir, started.local);
        await show(started);
        await stopped;
      } finally {
        unlock();
      }
    },
    print: (started: Started) => {
      if (started.accounts) return developmentBanner(started, started.accounts);
      return started.created ? welcome(started, started.created) : readyLine(started);
    },
    json: ({ site, created, loginLink, accounts }: Started) => {
      if (accounts) return { site, development: true, accounts };
      if (!created) return { site };
      const { organization, ...owner } = created;
      return { site, organization, owner: accountWithKey(owner), login_link: loginLink };
    },
  }),
];

const noOrganization =
  "The cluster has no organization yet. Run 'confab cluster init' where its data folder is, or create one with 'confab init' first.";

async function start(
  dataDir: string,
  settings: Settings,
  allCommands: Call["allCommands"],
): Promise<Started & { stopped: Promise<void> }> {
  const { host, port } = settings;
  const certificate = certificateOf(settings);
  const address = `${certificate ? "https" : "http"}://${inUrl(connectable(host))}:${port}`;
  const site = settings.site ?? address;
  const [{ createLog }, { serve }, { markFolder }] = await Promise.all([
    import("@/kernel/log.ts"),
    import("@/server.ts"),
    import("@/operations/data-folder/host.ts"),
  ]);
  const written = atLeast(
    settings.log_level,
    createLog(undefined, settings.log_format === "text" ? logLine : undefined),
  );
  const { rate_limit, address_rate_limit, trusted_proxy: isProxy } = settings;
  const isDevelopment = settings.dev;
  const rateLimits = isDevelopment ? undefined : { user: rate_limit, address: address_rate_limit };
  const { queue_memory: queueMemory, answer_memory: answerMemory } = settings;
  const memory = { queueMemory, answerMemory };
  const followsHost = settings.site === undefined;
  const how = {
    hosting: true,
    s3: () => s3In(settings),
    site,
    log: written,
    rateLimits,
    isProxy,
    isDevelopment,
    followsHost,
    ...memory,
  };
  const node = await nodeFor(dataDir, settings, { log: written, onLead: () => void lead() });
  const app = await openApp(dataDir, { ...how, ...node?.app });
  const { log } = app;
  await runCommands(app, allCommands);
  await sendMail(app, settings, site);
  const sign_on = await letSignOn(app, dataDir);
  // A cluster node makes its startup writes when it becomes the leader.
  const lead = () =>
    prepare(app, settings, { site, sign_on })
      .then(() => beginFiles(app))
      .catch((error) => log.error("start", { error: String(error) }));
  if (node) {
    try {
      await checkFit(app);
    } catch (error) {
      await node.stop();
      await app.close();
      throw error;
    }
    await node.follow(app);
  }
  const served = node ? { ...app, fetch: node.receiving(app.fetch) } : app;
  const hasJobs = () => node?.leads ?? true;
  const serving = await serve(served, { host, port, log, certificate, hasJobs }).catch(async (error) => {
    await node?.stop();
    await app.close();
    return notListening(error, host, port);
  });
  if (node) noteToken(dataDir, node.app.operatorToken);
  // The server answers from now on, so a signal must stop it gracefully, once the rest of the start is done.
  const begun = Promise.withResolvers<void>();
  const stop = () =>
    begun.promise.then(async () => {
      await node?.stop();
      await serving.stop();
      // A connection that a hanging NATS does not close keeps the process, but not this timer.
      if (node) setTimeout(() => process.exit(), 1_000).unref();
    });
  const stopped = stopOnSignal(stop, endingSignals(settings));
  // The owner's key is shown only once the server listens; if the port is taken, it must not get lost.
  try {
    const created = node ? null : await prepare(app, settings, { site, sign_on });
    if (!node) await beginFiles(app);
    const loginLink = created && (await loginLinkOf(app, created, site));
    markFolder(dataDir);
    const accounts = isDevelopment ? await accountsOf(app) : null;
    // Others reach the server at all addresses of the machine, through a proxy or through another node.
    const isOnNetwork = connectable(host) !== host || isProxy !== undefined || node !== null;
    const isUnnamed = followsHost && isOnNetwork && isLoopback(site);
    if (isUnnamed)
      log.warn("site", { missing: true, links_lead_to: site, remedy: "confab serve --site URL" });
    return { stopped, site, local: address, dataDir, created, loginLink, accounts, isUnnamed };
  } catch (error) {
    await serving.stop();
    throw error;
  } finally {
    begun.resolve();
  }
}

/** Throws unless the organization can be served by several nodes. */
async function checkFit({ system }: App): Promise<void> {
  const [{ hasOrganization }, { checkShared }] = await Promise.all([
    import("@/foundation/realm/queries.ts"),
    import("@/operations/file-moves/host.ts"),
  ]);
  if (!hasOrganization(system)) fail("BAD_REQUEST", noOrganization);
  checkShared(system);
}

/** Brings the data folder up to date with the other nodes; null for a standalone server. */
async function nodeFor(
  dataDir: string,
  settings: Settings,
  { log, onLead }: { log: Log; onLead: () => void },
): Promise<StartedNode | null> {
  const cluster = clusterOf(settings);
  if (!cluster) {
    forgetToken(dataDir);
    return null;
  }
  if (settings.dev) misused("--dev is for a single server, without --cluster");
  if (settings.s3_bucket === undefined)
    misused("--cluster needs s3_bucket in confab.toml: all nodes keep uploaded files in one S3 store");
  const { startNode } = await import("@/cluster/host.ts");
  const end = (reason: Error) => {
    log.error("cluster_ends", { node: cluster.me.node, error: reason.message });
    log.flush();
    complain(reason.message);
    process.exit(1);
  };
  return startNode({ ...cluster, dataDir, log, end, onLead }).catch((error) =>
    fail("BAD_REQUEST", (error as Error).message),
  );
}

async function sendMail(app: App, { smtp_url: url, mail_from }: Settings, site: string): Promise<void> {
  if (url === undefined) return;
  const [{ localAddress }, { setMailServer }] = await Promise.all([
    import("@/foundation/realm/queries.ts"),
    import("@/foundation/mail/host.ts"),
  ]);
  setMailServer(app.env, { url, from: mail_from ?? localAddress(app.system, { name: "noreply", site }) });
}

async function beginFiles({ system, log }: App): Promise<void> {
  const { beginFiles } = await import("@/operations/file-moves/host.ts");
  await beginFiles(system, log);
}

/** Lets remote programs run commands here. */
async function runCommands(app: App, allCommands: Call["allCommands"]): Promise<void> {
  const { setRunner } = await import("@/operations/command-line/host.ts");
  setRunner(app.env, async (ctx, line) => {
    const [{ runForRemotePerson }, { consoleChange }] = await Promise.all([
      import("./remote-runner.ts"),
      import("./console-change.ts"),
    ]);
    return runForRemotePerson([...(await allCommands()), consoleChange], ctx, line);
  });
}

/** Lets people sign in with the providers in confab.toml; returns them as /server_settings lists them. */
async function letSignOn(app: App, dataDir: string): Promise<ReturnType<typeof shownProvider>[]> {
  const providers = providersOf(dataDir);
  if (providers.length > 0) {
    const { setProviders } = await import("@/outside/single-sign-on/host.ts");
    setProviders(app.env, providers);
  }
  return providers.map(shownProvider);
}

/** The organization created by the first run; null on later runs. */
async function prepare(
  app: App,
  settings: Settings,
  { site, sign_on }: { site: string; sign_on: ReturnType<typeof shownProvider>[] },
): Promise<CreatedRealm | null> {
  const [{ hasOrganization, localAddress }, { createRealm, setServerOptions, setSite }] = await Promise.all([
    import("@/foundation/realm/queries.ts"),
    import("@/foundation/realm/actions.ts"),
  ]);
  const { org, owner_name, owner_email = localAddress(app.system, { name: "owner", site }) } = settings;
  const realm = { name: org, owner_email, owner_name, avatar_salt: newSalt() };
  const created = hasOrganization(app.system) ? null : await createRealm(app.system, realm);
  const [{ openOrganization }, { isUnused }] = await Promise.all([
    import("@/personal/onboarding/actions.ts"),
    import("@/personal/onboarding/queries.ts"),
  ]);
  const isFirst = isUnused(app.system);
  await setSite(app.system, site);
  const { web_public_channels, invitation_link_validity_minutes, invitations_per_day, smtp_url } = settings;
  const { webhook_networks = "", no_welcome } = settings;
  const invitations = { invitation_link_validity_minutes, invitations_per_day };
  const sends_mail = smtp_url !== undefined;
  const options = { webhook_networks, web_public_channels, no_welcome, sends_mail, sign_on };
  await setServerOptions(app.system, { ...options, ...invitations });
  if (isFirst && !no_welcome) await openOrganization(app.system);
  return created;
}

async function loginLinkOf(app: App, { user }: CreatedRealm, site: string): Promise<string> {
  const { makeLoginLink } = await import("@/foundation/sessions/actions-links.ts");
  const asOwner = app.ctx({ kind: "user", id: user.user_id, client: "Internal" });
  return site + (await makeLoginLink(asOwner, user.user_id)).path;
}

/** An address to connect to, if the host is a wildcard address. */
function connectable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function notListening(error: { code?: string }, host: string, port: number): never {
  const unknownHost = `there is no host named ${host}; name another with --host.`;
  const sentences: Record<string, string> = {
    EADDRINUSE: `port ${port} of ${host} is taken; stop what uses it, or choose another with --port.`,
    EACCES: `you may not use port ${port}; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `this machine does not have the address ${host}; name another with --host.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
    ENOENT: unknownHost,
  };
  const sentence = sentences[error.code ?? ""];
  if (sentence === undefined) throw error;
  fail("BAD_REQUEST", sentence);
}

/** SIGHUP ends a server whose terminal is closed; with a certificate, it reloads that instead. */
function endingSignals({ tls_cert }: Settings): Record<string, number> {
  const signals = { SIGINT: 2, SIGTERM: 15 };
  if (tls_cert !== undefined) return signals;
  if (process.stdin.isTTY) return { ...signals, SIGHUP: 1 };
  // Without a certificate there is nothing to reload; by default the signal would kill the process.
  process.on("SIGHUP", () => {});
  return signals;
}

/** Resolves once the first signal has stopped the server gracefully; a second signal ends the process at once. */
function stopOnSignal(stop: () => Promise<void>, signals: Record<string, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    for (const [signal, number] of Object.entries(signals)) {
      process.on(signal, () => {
        if (stopping) process.exit(128 + number);
        stopping = true;
        stop().then(resolve, reject);
      });
    }
  });
}

function readyLine({ site, isUnnamed }: Started): string {
  const ready = `Confab is ready at ${bold(site)}`;
  if (!isUnnamed) return ready;
  return (
    `${ready}\n\nWarning: links in invitations and emails lead to ${site}, which only works on this machine.\n` +
    "Start with --site and the server's public address."
  );
}

function welcome(started: Started, created: CreatedRealm): string {
  const { email, api_key } = accountWithKey(created);
  const known = facts([
    ["Organization", created.organization.name],
    ["Owner", email],
    ["API key", api_key],
    ["Data folder", resolve(started.dataDir)],
  ]);
  const credentials = quoted(`${email}:${api_key}`);
  return [
    readyLine(started),
    "",
    "Sign in as the owner with this link, in a browser. It works once, within an hour:",
    "",
    `  ${bold(started.loginLink ?? "")}`,
    "",
    known.replaceAll(/^/gm, "  "),
    "",
    "The key is for programs, and is not shown again: only its hash is stored. Try it:",
    "",
    `  curl -sS -u ${credentials} ${started.local}/api/v1/users/me`,
    "",
    `Invite people in the browser, or with 'confab invite link${dataOption(started.dataDir)}'. Stop with Ctrl+C.`,
  ].join("\n");
}
