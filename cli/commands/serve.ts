import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { clearStaging, endBeginning } from "@/operations/data-folder/host.ts";
import { beginningOf, checkNotLost } from "@/operations/data-folder/queries.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { accountWithKey } from "../accounts.ts";
import { read } from "../args.ts";
import { type CommandCall, standalone } from "../command.ts";
import { lockFolder, noteServer } from "../lock.ts";
import { atLeast, logLine } from "../log-format.ts";
import { openApp, usable } from "../organization.ts";
import { bold } from "../output.ts";
import { noteToken } from "../own-node.ts";
import { settingsOfFile } from "../settings.ts";
import { storesOf } from "../stores.ts";
import { certificateOf, certificatePlanOf, siteOf } from "../tls.ts";
import { createdShape } from "./init.ts";
import { args, type ServeSettings } from "./serve-args.ts";
import {
  connectable,
  endingSignals,
  inUrl,
  listeningOf,
  notListening,
  stopOnSignal,
} from "./serve-listening.ts";
import { isWitness, seatFor, serveWitness, startMachine } from "./serve-machine.ts";
import { follow, nodeFor } from "./serve-node.ts";
import {
  beginFiles,
  letSignOn,
  loginLinkOf,
  ownCertificate,
  prepare,
  runCommands,
  scheduleBackups,
  sendMail,
} from "./serve-preparing.ts";
import { readyLine, type Started, welcome } from "./serve-printing.ts";
import {
  accountsOf,
  checkDevelopment,
  developmentBanner,
  fillEmpty,
  sampleAccountShape,
} from "./serve-sample.ts";

const startedShape = z.union([
  createdShape.extend({ site: z.string(), login_link: z.string() }),
  z.object({ site: z.string(), development: z.literal(true), accounts: z.array(sampleAccountShape) }),
  z.object({ site: z.string() }),
  z.object({ witness: z.string() }),
]);
type Shown = Started | { witness: string };

export default [
  standalone({
    name: "serve",
    summary: "Start the server",
    about:
      "Starts the server. If the data folder holds no organization yet, creates one and shows its owner's API key and a link for signing in. " +
      "Stop it with Ctrl+C or SIGTERM; it finishes pending requests first. The log goes to standard error as JSON lines.",
    examples: [
      "confab serve",
      "confab serve --domain chat.example.com",
      "confab serve --data /srv/confab --port 8080 --site https://chat.example.com",
      "confab serve --dev --data /tmp/sample",
      "confab serve --org 'Ada & Co' --owner-email ada@example.com --owner-name 'Ada Byron'",
    ],
    args,
    result: startedShape,
    settings: settingsOfFile,
    run: serveFolder,
    print: (started: Shown) => {
      if ("witness" in started)
        return `Confab runs the nats-server of ${bold(started.witness)}, and no node.`;
      if (started.accounts) return developmentBanner(started, started.accounts);
      return started.created ? welcome(started, started.created) : readyLine(started);
    },
    json: (started: Shown) => {
      if ("witness" in started) return { witness: started.witness };
      const { site, created, loginLink, accounts } = started;
      if (accounts) return { site, development: true, accounts };
      if (!created) return { site };
      const { organization, ...owner } = created;
      return { site, organization, owner: accountWithKey(owner), login_link: loginLink };
    },
  }),
];

type Serving = Pick<CommandCall, "dataDir" | "given" | "allCommands"> & {
  show(started: Shown): Promise<void>;
};

/** Serves a data folder until a signal. */
export async function serveFolder(
  { dataDir, show, allCommands, given }: Serving,
  first: ServeSettings,
): Promise<void> {
  if (first.dev) checkDevelopment(first, given);
  const seat = await seatFor(dataDir, first);
  if (seat && (isWitness(seat) || first.witness)) {
    const { stopped, name } = await serveWitness(dataDir, seat, {
      settings: first,
      log: await logFor(first),
    });
    await show({ witness: name });
    return stopped;
  }
  // Must come before locking, which writes to the folder: the check looks at what earlier processes left.
  checkNotLost(dataDir);
  const unlock = lockFolder(dataDir);
  try {
    clearStaging(dataDir);
    if (first.dev) {
      const { checkSample } = await import("@/operations/dev/queries.ts");
      usable(dataDir, () => checkSample(dataDir));
      await fillEmpty(dataDir);
    }
    const written = await logFor(first);
    const machine = seat && (await startMachine(dataDir, seat, { settings: first, log: written }));
    const settings = machine ? settingsNow(dataDir, given) : first;
    const { stopped, ...started } = await start(dataDir, settings, { allCommands, written, machine }).catch(
      async (error) => {
        await machine?.stop();
        throw error;
      },
    );
    await show(started);
    endBeginning(dataDir);
    await stopped;
  } finally {
    unlock();
  }
}

/** The settings once all machines of the cluster are known. */
function settingsNow(dataDir: string, given: CommandCall["given"]): ServeSettings {
  const result = read(args, given, settingsOfFile(dataDir));
  return "problem" in result ? fail("BAD_REQUEST", `${result.problem}.`) : result.values;
}

async function logFor({ log_level, log_format }: ServeSettings): Promise<Log> {
  const { createLog } = await import("@/kernel/lib/log.ts");
  return atLeast(log_level, createLog(undefined, log_format === "text" ? logLine : undefined));
}

interface Parts {
  allCommands: CommandCall["allCommands"];
  written: Log;
  /** Runs the nats-server of a node; null elsewhere. */
  machine: Awaited<ReturnType<typeof startMachine>> | null;
}

async function start(
  dataDir: string,
  settings: ServeSettings,
  { allCommands, written, machine }: Parts,
): Promise<Started & { stopped: Promise<void> }> {
  const { host, port } = listeningOf(settings);
  const plan = certificatePlanOf(settings);
  const ofFiles = certificateOf(settings);
  const scheme = ofFiles || plan ? "https" : "http";
  const address = `${scheme}://${inUrl(connectable(host))}:${port}`;
  const site = settings.site ?? siteOf(plan, port) ?? address;
  const [{ serve }, { markFolder }] = await Promise.all([
    import("@/server.ts"),
    import("@/operations/data-folder/host.ts"),
  ]);
  const { rate_limit, address_rate_limit, trusted_proxy: isProxy } = settings;
  const isDevelopment = settings.dev;
  const rateLimits = isDevelopment ? undefined : { user: rate_limit, address: address_rate_limit };
  const { queue_memory: queueMemory, answer_memory: answerMemory } = settings;
  const memory = { queueMemory, answerMemory };
  const followsHost = settings.site === undefined && !plan;
  const proxies: string[] = [];
  const noteHere = () => noteServer(dataDir, { address, proxies });
  const onUnlistedProxy = (proxy: string) => {
    proxies.push(proxy);
    try {
      noteHere();
    } catch (error) {
      // Only the doctor misses it; the request that came by this proxy must not.
      written.warn("unlisted_proxy", { address: proxy, not_noted: String(error) });
    }
  };
  const how = {
    hosting: true,
    stores: storesOf(() => settings),
    site,
    log: written,
    rateLimits,
    isProxy,
    onUnlistedProxy,
    isDevelopment,
    followsHost,
    ...memory,
  };
  const begunAt = beginningOf(dataDir);
  const isOwn = machine !== null;
  const node = await nodeFor(dataDir, settings, {
    log: written,
    onLead: () => void lead(),
    isOwn,
    scheme,
    port,
  });
  const app = await openApp(dataDir, { ...how, ...node?.app });
  const { log } = app;
  await runCommands(app, allCommands);
  await sendMail(app, settings, site);
  const backsUp = await scheduleBackups(app, dataDir);
  const sign_on = await letSignOn(app, dataDir);
  // A cluster node makes its startup writes when it becomes the leader.
  const lead = () =>
    prepare(app, settings, { site, sign_on, begunAt: null })
      .then(() => beginFiles(app))
      .catch((error) => log.error("start", { error: String(error) }));
  if (node) {
    try {
      await follow(node, app);
    } catch (error) {
      await node.stop();
      await app.close();
      throw error;
    }
  }
  const own = plan && (await ownCertificate(app, settings, { plan, host, site, isNode: node !== null }));
  const served = node ? { ...app, fetch: node.receiving(app.fetch) } : app;
  machine?.serveNodes(served.fetch);
  const hasJobs = () => node?.leads ?? true;
  const serving = await serve(served, {
    host,
    port,
    log,
    certificate: own?.certificate ?? ofFiles,
    hasJobs,
    hstsSeconds: settings.hsts_days * 86_400,
    isProxy,
  }).catch(async (error) => {
    own?.close();
    await node?.stop();
    await app.close();
    return notListening(error, host, port);
  });
  const renew = () => void (hasJobs() && own?.renew(app.ctx(app.system.actor)));
  if (own) process.on("SIGHUP", renew);
  if (node) noteToken(dataDir, node.app.operatorToken);
  // The server answers from now on, so a signal must stop it gracefully, once the rest of the start is done.
  const begun = Promise.withResolvers<void>();
  const stop = () =>
    begun.promise.then(async () => {
      own?.close();
      await node?.stop();
      await machine?.closeListener();
      await serving.stop();
      await machine?.stop();
      // A hanging NATS or a store that a backup waits for would keep the process; this timer does not.
      if (node || backsUp || own) setTimeout(() => process.exit(), 1_000).unref();
    });
  const stopped = stopOnSignal(stop, endingSignals(settings));
  machine?.handOver();
  // The owner's key is shown only once the server listens; if the port is taken, it must not get lost.
  try {
    if (node) await node.listening();
    const created = node ? null : await prepare(app, settings, { site, sign_on, begunAt });
    if (!node) await beginFiles(app);
    const loginLink = created && (await loginLinkOf(app, created, site));
    markFolder(dataDir);
    const accounts = isDevelopment ? await accountsOf(app) : null;
    // Others reach the server at all addresses of the machine, through a proxy or through another node.
    const isOnNetwork = connectable(host) !== host || isProxy !== undefined || node !== null;
    const isUnnamed = followsHost && isOnNetwork && isLoopback(site);
    if (isUnnamed)
      log.warn("site", { missing: true, links_lead_to: site, remedy: "confab serve --site URL" });
    noteHere();
    renew();
    return { stopped, site, local: address, dataDir, created, loginLink, accounts, isUnnamed };
  } catch (error) {
    own?.close();
    await node?.stop();
    await machine?.closeListener();
    await serving.stop();
    throw error;
  } finally {
    begun.resolve();
  }
}
