// The server's settings: from flags, else the environment, else confab.toml in the data folder.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { settingsOfSeat } from "@/cluster/machines/seat.ts";
import { emailAddress } from "@/foundation/users/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { usualDirectory } from "@/operations/certificates/schema.ts";
import { addressList } from "./addresses.ts";
import { flag, option, orEnvironment } from "./args.ts";
import { checkLooking } from "./looking.ts";

export const settingsFile = "confab.toml";

const port = z
  .string()
  .regex(/^\d{1,5}$/, "a port must be a number from 1 to 65535")
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, "a port must be a number from 1 to 65535");

const host = z.string().regex(/^[\w.:%-]+$/, "a host must be a name or an address, such as 127.0.0.1 or ::");

const domainName = z
  .string()
  .transform((text) => domainToASCII(text.replace(/\.$/, "")))
  .refine(
    (name) =>
      name.length <= 253 &&
      /^(?!\d+(\.\d+)*$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(
        name,
      ),
    "a domain must be a host name without scheme or port, such as chat.example.com",
  );

const site = z
  .string()
  .refine(
    isAddress,
    "an address must start with http:// or https:// and have no query, such as https://chat.example.com",
  )
  .transform((address) => address.replace(/\/+$/, ""));

function isAddress(text: string): boolean {
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === "";
}

const count = z
  .string()
  .regex(/^\d{1,7}$/, "a number of requests, such as 200")
  .transform(Number);

const addresses = z
  .string()
  .regex(/^\d{1,7}$/, "a number of addresses, such as 100")
  .transform(Number);

const megabytes = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, "a number of megabytes above 0, such as 64")
  .transform((text) => Number(text) * 1_000_000);

const days = z
  .string()
  .regex(/^\d{1,4}$/, "a number of days, such as 180")
  .transform(Number);

const minutes = z
  .string()
  .regex(/^[1-9]\d{0,7}$/, "a number of minutes above 0, such as 14400")
  .transform(Number);

const mailServer = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
}, "a mail server's address must start with smtp:// or smtps://, such as smtps://user:password@mail.example.com");

const proxies = z.string().transform((text, ctx) => {
  const list = addressList(text);
  if (list) return list;
  ctx.addIssue("addresses or networks, separated by commas, such as 127.0.0.1,10.0.0.0/8");
  return z.NEVER;
});

const networks = z
  .string()
  .refine(
    (text) => addressList(text) !== null,
    "addresses or networks, separated by commas, such as 127.0.0.1,10.0.0.0/8",
  );

const natsServers = listOf(
  (url) => /^(nats|tls):$/.test(url.protocol) && url.hostname !== "",
  "addresses of nats-servers, separated by commas, such as nats://n1,nats://n2,nats://n3",
);

const monitors = listOf(
  (url) => /^https?:$/.test(url.protocol),
  "monitoring addresses of nats-servers, separated by commas, such as http://n1:8222,http://n2:8222",
);

/** URLs separated by commas; those without a scheme have the first one's, as in nats://a,b,c. */
function listOf(isRight: (url: URL) => boolean, problem: string) {
  return z.string().transform((text, ctx) => {
    const [scheme = ""] = /^\w+:\/\//.exec(text.trim()) ?? [];
    const list = text.split(",").map((one) => (one.includes("://") ? one.trim() : scheme + one.trim()));
    const urls = list.map((one) => URL.parse(one));
    if (urls.every((url) => url !== null && isRight(url))) return list;
    ctx.addIssue(problem);
    return z.NEVER;
  });
}

export const nodeName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "a name of letters, digits, - and _, such as a or chat-1");
const clusterName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "a name of letters, digits, - and _, such as confab");
const copies = z
  .string()
  .regex(/^[135]$/, "1, 3 or 5")
  .transform(Number);

const readsWithoutLog = z
  .string()
  .regex(/^\d{1,7}$/, "a number of seconds from 10, such as 60")
  .transform(Number)
  .refine((seconds) => seconds >= 10, "a number of seconds from 10, such as 60");

/** A flag; in the environment or the settings file, a word such as "true" or "no". */
const switched = z.union([z.boolean(), z.stringbool()], "must be true or false");

const file = z.string().min(1, "the path of a file");
const program = z.string().min(1, "the path of a program");
const word = z.string().regex(/^[\w.-]{1,100}$/, "a name of letters, digits, dots, dashes and underscores");
const s3Prefix = z
  .string()
  .regex(/^$|^[\w.-]+(\/[\w.-]+)*\/?$/, "a path without a leading slash, such as chat/")
  .transform((path) => path.replace(/([^/])$/, "$1/"));
const level = z.enum(["debug", "info", "warn", "error"]);
const format = z.enum(["json", "text"]);

/** The settings of `serve`, under their names in confab.toml. */
export const serverSettings = orEnvironment({
  host: option(
    "HOST",
    host.optional(),
    "address to listen on; 0.0.0.0 for all; if not given, 127.0.0.1, or all with --domain",
  ),
  port: option("PORT", port.optional(), "port to listen on; if not given, 9900, or 443 with --domain"),
  site: option(
    "URL",
    site.optional(),
    "public address of the server; if not given, that of --domain, or each client is answered with the address that it used, and links lead to http://HOST:PORT",
  ),
  domain: option(
    "NAME",
    domainName.optional(),
    "domain name of the server: gets and renews a certificate for it, by ACME at port 80; you agree to the terms of the authority",
  ),
  http_port: option(
    "PORT",
    port.default(80),
    "with --domain: port that answers the authority and leads everybody else to HTTPS",
  ),
  acme_directory: option(
    "URL",
    site.default(usualDirectory),
    "with --domain: ACME directory of the authority, such as your organization's own",
  ),
  acme_ca: option(
    "FILE",
    file.optional(),
    "with --domain: authorities (PEM) to trust for the certificate of the ACME directory, besides the public ones",
  ),
  tls_cert: option("FILE", file.optional(), "certificate chain (PEM), to serve HTTPS; read again on SIGHUP"),
  tls_key: option("FILE", file.optional(), "private key (PEM) of the certificate"),
  hsts_days: option(
    "N",
    days.default(180),
    "for how many days browsers that came over HTTPS, here or at a trusted proxy, come over HTTPS alone (HSTS); 0 to tell them nothing",
  ),
  trusted_proxy: option(
    "ADDRESSES",
    proxies.optional(),
    "reverse proxies whose X-Forwarded-For, -Host and -Proto are trusted, such as 10.0.0.0/8,::1",
  ),
  rate_limit: option(
    "N",
    count.default(200),
    "maximum requests per minute and user, event polls not counted; 0 for no limit",
  ),
  address_rate_limit: option(
    "N",
    count.default(100),
    "maximum requests per minute and IP address without credentials; 0 for no limit",
  ),
  queue_memory: option(
    "MB",
    megabytes.optional(),
    "memory for all event queues; beyond it, those that were polled longest ago are closed; if not given, an eighth of the machine's",
  ),
  answer_memory: option(
    "MB",
    megabytes.optional(),
    "memory for responses that clients have not read yet; beyond it, the oldest are cut off; if not given, an eighth of the machine's",
  ),
  webhook_networks: option(
    "ADDRESSES",
    networks.optional(),
    "internal networks that outgoing webhooks may reach, such as 127.0.0.1,10.0.0.0/8",
  ),
  preview_networks: option(
    "ADDRESSES",
    networks.optional(),
    "internal networks whose pages and pictures may be previewed in messages, such as 10.0.0.0/8",
  ),
  web_public_channels: flag(
    switched.default(false),
    "allow channels that people without an account can read",
  ),
  s3_bucket: option(
    "NAME",
    word.optional(),
    "bucket of an S3 store that holds the files; if not given, they are in the data folder",
  ),
  s3_endpoint: option("URL", site.optional(), "address of the S3 store; if not given, Amazon's own"),
  s3_region: option("NAME", word.optional(), "region of the bucket, such as eu-central-1"),
  s3_prefix: option("PATH", s3Prefix.default(""), "prefix of the files' names in the bucket, such as chat/"),
  s3_credentials: option(
    "FILE",
    file.optional(),
    "file with aws_access_key_id = … and aws_secret_access_key = …; if not given, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  ),
  smtp_url: option(
    "URL",
    mailServer.optional(),
    "mail server that sends all mails, such as smtps://USER:PASSWORD@HOST",
  ),
  mail_from: option("EMAIL", emailAddress.optional(), "sender address of emails; if not given, noreply@HOST"),
  invitation_link_validity_minutes: option("N", minutes.default(14_400), "default validity of invitations"),
  invitations_per_day: option("N", addresses.default(100), "maximum addresses invited per day"),
  no_welcome: flag(
    switched.default(false),
    "send new people no welcome message except the organization's own, and create no first channel",
  ),
  nats_server: option(
    "PROGRAM",
    program.optional(),
    "in a cluster whose nats-servers Confab runs: the path of nats-server; if not given, next to this program, or in PATH",
  ),
  node_address: option(
    "HOST",
    host.optional(),
    "with 'cluster init' or --join: the address at which the other machines reach this one; if not given, the one from which it reaches them",
  ),
  cluster: option(
    "URLS",
    natsServers.optional(),
    "the nats-servers that hold the cluster's log, such as nats://n1,nats://n2,nats://n3",
  ),
  node: option("NAME", nodeName.optional(), "in a cluster: the name of this node, unique among them"),
  node_url: option(
    "URL",
    site.optional(),
    "in a cluster: the address at which the other nodes reach this one",
  ),
  node_ca: option(
    "FILE",
    file.optional(),
    "in a cluster: authorities (PEM) to trust for the certificates of the nodes, besides the public ones",
  ),
  cluster_name: option(
    "NAME",
    clusterName.default("confab"),
    "in a cluster: its name, if several share the nats-servers",
  ),
  cluster_replicas: option(
    "N",
    copies.default(3),
    "in a cluster: how many nats-servers hold a copy of the log: 1, 3 or 5",
  ),
  nats_monitors: option(
    "URLS",
    monitors.optional(),
    "in a cluster: monitoring addresses of the nats-servers, such as http://n1:8222,http://n2:8222,http://n3:8222",
  ),
  nats_unchecked: flag(
    switched.default(false),
    "in a cluster: instead of --nats-monitors, you assure that all nats-servers have 'sync_interval: always'",
  ),
  reads_without_log: option(
    "SECONDS",
    readsWithoutLog.default(60),
    "in a cluster: for how long a node that cannot follow the log goes on to answer reads",
  ),
  nats_credentials: option("FILE", file.optional(), "in a cluster: the credentials file (.creds) for NATS"),
  nats_ca: option(
    "FILE",
    file.optional(),
    "in a cluster: authorities (PEM) to trust for the certificates of the nats-servers, at https monitoring addresses, too",
  ),
  log_level: option("LEVEL", level.default("info"), "lowest level to log: debug, info, warn or error"),
  log_format: option("FORMAT", format.default("json"), "log lines as json or text"),
});

/**
 * The values in the data folder's confab.toml, and those of a node for which Confab runs the nats-server, as text, without the tables of single sign-on and backups. Throws if the file is not TOML or contains an unknown setting.
 */
export function settingsOfFile(dataDir: string): Record<string, string> {
  const path = join(dataDir, settingsFile);
  if (!existsSync(path)) {
    checkLooking(dataDir);
    return settingsOfSeat(dataDir);
  }
  return { ...settingsOfSeat(dataDir), ...settingsIn(parseFile(path), path) };
}

/** The same, of what a settings file at `path` holds or would hold. */
export function settingsIn(content: Record<string, unknown>, path: string): Record<string, string> {
  const { oidc: _, backup: __, ...found } = content;
  for (const [name, value] of Object.entries(found)) {
    if (!(name in serverSettings)) {
      fail(
        "BAD_REQUEST",
        `${path} contains an unknown setting '${name}'; 'confab serve --help' lists all settings.`,
      );
    }
    if (typeof value === "object" && !Array.isArray(value)) {
      fail("BAD_REQUEST", `${path}: '${name}' must be one value, or a list of them.`);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
}

/** A table of the data folder's confab.toml; undefined without it. */
export function tableOfFile(dataDir: string, name: string): unknown {
  const path = join(dataDir, settingsFile);
  return existsSync(path) ? parseFile(path)[name] : undefined;
}

function parseFile(path: string): Record<string, unknown> {
  return parseSettings(readFileSync(path, "utf8"), path);
}

/** Parses the text of a settings file at `path`. */
export function parseSettings(text: string, path: string): Record<string, unknown> {
  try {
    return Bun.TOML.parse(text) as Record<string, unknown>;
  } catch (error) {
    return fail("BAD_REQUEST", `${path} cannot be read: ${(error as Error).message}`);
  }
}

/** The paths of files that a data folder's confab.toml names, such as keys. */
export function filesNamedIn(dataDir: string): string[] {
  const found = settingsOfFile(dataDir);
  return Object.entries(serverSettings).flatMap(([name, row]) => {
    const path = row.placeholder === "FILE" ? found[name] : undefined;
    return path === undefined ? [] : [path];
  });
}
