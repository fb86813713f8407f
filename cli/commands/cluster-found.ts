// `cluster init` without nats-servers of one's own: prepares the first machine of a cluster, and serves.
import { z } from "zod";
import { seatIn } from "@/cluster/machines/seat.ts";
import type { CreatedRealm } from "@/foundation/realm-administration/actions.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { endBeginning, markFolder } from "@/operations/data-folder/host.ts";
import { beginningOf, checkNotLost, hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { accountWithKey, accountWithKeyShape } from "../accounts.ts";
import type { ArgValues } from "../args.ts";
import type { CommandCall } from "../command.ts";
import { lockFolder } from "../lock.ts";
import { failUsage } from "../misuse.ts";
import { dataOption, openFolder } from "../organization.ts";
import { bold, complain, facts } from "../output.ts";
import { refuseNode } from "../own-node.ts";
import { s3In } from "../s3.ts";
import type { serverSettings } from "../settings.ts";
import { shareFilesIn } from "./cluster-files.ts";
import { translateErrors } from "./cluster-settings.ts";
import { createdShape, newSalt } from "./init.ts";
import { serveFolder } from "./serve.ts";
import type { founding } from "./serve-args.ts";
import { createOnce, loginLinkOf } from "./serve-preparing.ts";
import { readyLine } from "./serve-printing.ts";

export const foundedShape = z.object({
  node: z.string(),
  address: z.string(),
  /** The command for the other machines. */
  join: z.string(),
  /** Of an organization that was created now. */
  organization: createdShape.shape.organization.nullable(),
  owner: accountWithKeyShape.nullable(),
  login_link: z.string().nullable(),
});

export interface Founded {
  readonly node: string;
  readonly address: string;
  readonly join: string;
  readonly created: CreatedRealm | null;
  readonly loginLink: string | null;
}

type Given = ArgValues<typeof serverSettings & typeof founding>;
type Call = Omit<CommandCall, "json"> & { show(result: Founded): Promise<void> };

export async function found(call: Call, given: Given): Promise<void> {
  const { dataDir, show } = call;
  await prepare(dataDir, given, show);
  const ready: Parameters<typeof serveFolder>[0]["show"] = async (started) => {
    if (!("witness" in started)) complain(readyLine(started));
  };
  const settings = { ...given, dev: false, join: undefined, witness: false };
  await serveFolder({ ...call, show: ready }, settings);
}

async function prepare(dataDir: string, given: Given, show: Call["show"]): Promise<void> {
  if (await showAgain(dataDir, show)) return;
  refuseNode(dataDir, `Start it with 'confab serve${dataOption(dataDir)}'.`);
  checkNotLost(dataDir);
  const s3 = s3In(given);
  const [{ findNatsServer }, { forgetSeat, foundCluster, nameOfMachine, onlyAddress }] = await Promise.all([
    import("@/cluster/machines/nats-program.ts"),
    import("@/cluster/machines/founding.ts"),
  ]);
  const address =
    given.node_address ??
    onlyAddress() ??
    failUsage("--node-address is missing: the address of this machine at which the others reach it");
  const node = given.node ?? nameOfMachine();
  await translateErrors((async () => findNatsServer(given.nats_server))());
  const unlock = lockFolder(dataDir);
  try {
    if (seatIn(dataDir)) {
      const remedy = `'confab serve${dataOption(dataDir)}' goes on with it`;
      fail("BAD_REQUEST", `${dataDir} has begun a cluster or joined one already: ${remedy}.`);
    }
    const { s3_bucket, s3_endpoint, s3_region, s3_prefix } = given;
    const named = s3 ? Object.entries({ s3_bucket, s3_endpoint, s3_region, s3_prefix }) : [];
    const settings = Object.fromEntries(
      named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    );
    const cluster = given.cluster_name;
    const first = { dataDir, cluster, name: node, address, settings, s3: s3 && credentialsOf(s3) };
    const token = await foundCluster(first);
    try {
      const { created, loginLink } = await createIn(dataDir, given, address);
      // Otherwise they go to the nats-servers, once these run.
      if (s3) await shareFilesIn(dataDir);
      await show({ node, address, join: joiningWith(token), created, loginLink });
    } catch (error) {
      forgetSeat(dataDir);
      throw error;
    }
    endBeginning(dataDir);
  } finally {
    unlock();
  }
}

/** Shows a new token where a cluster waits for its machines; returns whether it does. */
async function showAgain(dataDir: string, show: Call["show"]): Promise<boolean> {
  if (!seatIn(dataDir)) return false;
  const { tokenToGoOn } = await import("@/cluster/machines/founding.ts");
  const unlock = lockFolder(dataDir);
  try {
    const again = tokenToGoOn(dataDir);
    if (!again) return false;
    const { token, ...at } = again;
    await show({ ...at, join: joiningWith(token), created: null, loginLink: null });
    return true;
  } finally {
    unlock();
  }
}

const joiningWith = (token: string) => `confab serve --join ${token}`;

function credentialsOf({
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: NonNullable<ReturnType<typeof s3In>>): string {
  const more = sessionToken === undefined ? "" : `aws_session_token = ${sessionToken}\n`;
  return `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n${more}`;
}

/** Creates the organization, unless the folder holds a complete one. */
async function createIn(
  dataDir: string,
  given: Given,
  address: string,
): Promise<Pick<Founded, "created" | "loginLink">> {
  const begunAt = beginningOf(dataDir);
  if (hasOrganizationIn(dataDir) && begunAt === null) return { created: null, loginLink: null };
  const site = given.site ?? `http://${address}:${given.port ?? 9900}`;
  const core = await openFolder(dataDir);
  try {
    const { localAddress } = await import("@/foundation/realm-administration/queries.ts");
    const { org, owner_name, language: default_language } = given;
    const owner_email = given.owner_email ?? localAddress(core.system, { name: "owner", site });
    const names = { name: org, owner_email, owner_name, default_language };
    const realm = { ...names, awaits_owner: given.owner_email === undefined, avatar_salt: newSalt() };
    const created = await createOnce(core, realm, begunAt);
    markFolder(dataDir);
    return { created, loginLink: created && (await loginLinkOf(core, created, site)) };
  } finally {
    await core.close();
  }
}

export function documentOf({ created, loginLink, ...rest }: Founded): z.infer<typeof foundedShape> {
  if (!created) return { ...rest, organization: null, owner: null, login_link: null };
  const { organization, ...owner } = created;
  return { ...rest, organization, owner: accountWithKey(owner), login_link: loginLink };
}

export function formatFounded({ join, created, loginLink }: Founded): string {
  const joining = [
    "Run this on two other machines; on one of them, add --witness if it is to hold no data:",
    "",
    `  ${bold(join)}`,
  ];
  if (!created) return joining.join("\n");
  const { email, api_key } = accountWithKey(created);
  const known = facts([
    ["Organization", created.organization.name],
    ["Owner", email],
    ["API key", api_key],
  ]);
  return [
    known.replaceAll(/^/gm, "  "),
    "",
    "Once all three machines are there, sign in as the owner with this link. It works once, within an hour:",
    "",
    `  ${bold(loginLink ?? "")}`,
    "",
    ...joining,
  ].join("\n");
}
