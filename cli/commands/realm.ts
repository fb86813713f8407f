import { z } from "zod";
import { listAllUsers } from "@/foundation/accounts/queries.ts";
import { type GrantName, realmGrants } from "@/foundation/permissions/schema.ts";
import { whoText } from "@/foundation/permissions/words.ts";
import { domainName, realmDomain, realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { deactivateRealm, reactivateRealm } from "@/foundation/realm-administration/actions.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import { addDomain, changeDomain, removeDomain } from "@/foundation/realm-administration/actions-domains.ts";
import { listDomains, realmPermissions } from "@/foundation/realm-administration/queries.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import type { SettingValues } from "@/kernel/store/settings.ts";
import { setUploadLimits } from "@/messaging/uploads/actions.ts";
import { getUploadSpace } from "@/messaging/uploads/queries.ts";
import { choosing, flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table } from "../output.ts";
import { changingRetention, retentionFlags } from "../shorter-retention.ts";
import { checkValue, permissionOf, permissionWriter, whoTakes } from "../values.ts";
import login from "./realm-login.ts";
import pictures from "./realm-pictures.ts";
import { settingVerbs } from "./setting-verbs.ts";

type SettingName = Exclude<keyof typeof realmSettings.table, "site">;
const settingNames = Object.keys(realmSettings.table).filter((name) => name !== "site") as SettingName[];
const grantNames = Object.keys(realmGrants) as GrantName<"realm">[];

const permissionShape = z.object({ name: z.string(), who: z.string() });

function permissionsOf(ctx: Ctx): z.infer<typeof permissionShape>[] {
  const values = realmPermissions(ctx);
  const written = permissionWriter(ctx);
  return grantNames.map((name) => ({ name, who: written(values[name]) }));
}

function grantNamed(name: string): GrantName<"realm"> {
  const found = grantNames.find((known) => known === name);
  return (
    found ?? fail("BAD_REQUEST", `There is no permission '${name}'; 'confab realm permissions' lists them.`)
  );
}

const mebibytes = z
  .string()
  .regex(/^\d{1,8}$/, "a number of MiB, such as 100")
  .transform(Number);

function limitOf<K extends "max_file_upload_size_mib" | "upload_quota_mib" | "upload_quota_per_user_mib">(
  name: K,
  value: number | null,
) {
  return checkValue(serverOptions.table[name].rule, name, value) as SettingValues<
    typeof serverOptions.table
  >[K];
}

const quotaText = (mib: number | null) => (mib === null ? "any size" : `at most ${mib} MiB`);

const activity = z.object({ is_active: z.boolean() });
const domain = operand("DOMAIN", domainName, "such as example.com");
const subdomains = flag(z.boolean().default(false), "also addresses of its subdomains");

export default [
  ...settingVerbs({
    list: {
      name: "realm settings",
      summary: "List the organization's settings",
      examples: [
        "confab realm settings",
        "confab realm settings --json | jq '.[] | select(.name == \"name\")'",
      ],
    },
    set: {
      name: "realm set",
      summary: "Change a setting of the organization",
      examples: [
        "confab realm set name 'Ada & Co'",
        "confab realm set message_content_edit_limit_seconds '2 hours'",
        "confab realm set message_retention_days 'for ever'",
        "confab realm set moderation_request_channel_id mods",
        "confab realm set message_retention_days 365 --yes",
      ],
    },
    names: settingNames,
    table: realmSettings.table,
    read: (ctx) => realmSettings.read(ctx),
    write: updateRealm,
    around: {
      flags: retentionFlags,
      run: (ctx, { message_retention_days: days }, { now, yes }, write) =>
        changingRetention(ctx, { channel_id: null, days: days as number | undefined, now, yes }, write),
    },
  }),

  command({
    name: "realm permissions",
    isUnaudited: true,
    summary: "List who may do what in the organization",
    examples: ["confab realm permissions"],
    args: {},
    result: z.array(permissionShape),
    run: (ctx) => permissionsOf(ctx),
    print: (permissions) =>
      table(
        ["PERMISSION", "WHO"],
        permissions.map(({ name, who }) => [name, whoText(who)]),
      ),
  }),

  command({
    name: "realm permit",
    summary: "Decide who may do what in the organization",
    examples: [
      "confab realm permit can_create_public_channel_group moderators",
      "confab realm permit can_invite_users_group ada@example.com,design",
    ],
    args: {
      name: choosing(
        operand("PERMISSION", z.string(), "its name; 'confab realm permissions' lists them"),
        Object.keys(realmGrants),
      ),
      who: operand("WHO", z.string(), whoTakes),
    },
    result: permissionShape,
    run: async (ctx, { name, who }) => {
      const grant = grantNamed(name);
      await updateRealm(ctx, { [grant]: { new: permissionOf(ctx, who) } });
      return { name: grant, who: permissionWriter(ctx)(realmPermissions(ctx)[grant]) };
    },
    print: ({ name, who }) => `${name}: ${whoText(who)}`,
  }),

  command({
    name: "realm domains",
    isUnaudited: true,
    summary: "List the domains whose email addresses may join",
    examples: ["confab realm domains"],
    args: {},
    result: z.array(realmDomain),
    run: (ctx) => listDomains(ctx),
    print: (domains) =>
      table(
        ["DOMAIN", "SUBDOMAINS"],
        domains.map((one) => [one.domain, one.allow_subdomains ? "too" : "no"]),
      ),
  }),

  command({
    name: "realm allow-domain",
    summary: "Let email addresses of a domain join",
    examples: ["confab realm allow-domain example.com --subdomains"],
    args: { domain, subdomains },
    result: realmDomain,
    run: async (ctx, { domain, subdomains: allow_subdomains }) => {
      const isKnown = listDomains(ctx).some((one) => one.domain === domain);
      if (isKnown) await changeDomain(ctx, { domain, allow_subdomains });
      else await addDomain(ctx, { domain, allow_subdomains });
      return { domain, allow_subdomains };
    },
    print: ({ domain }) => `Email addresses of ${domain} may join.`,
  }),

  command({
    name: "realm disallow-domain",
    summary: "Stop letting email addresses of a domain join",
    examples: ["confab realm disallow-domain example.com --yes"],
    args: { domain, yes },
    result: realmDomain.pick({ domain: true }),
    run: async (ctx, { domain, yes }) => {
      const note = "Who has an account keeps it.";
      if (listDomains(ctx).some((one) => one.domain === domain))
        await confirm({ does: "removes", count: [1, "domain"], names: [domain], note }, yes);
      await removeDomain(ctx, domain);
      return { domain };
    },
    print: ({ domain }) => `Email addresses of ${domain} may no longer join.`,
  }),

  command({
    name: "realm upload-limits",
    isHere: true,
    summary: "Show or change how much may be uploaded",
    about:
      "Shows or changes how large a file may be, and how much all files, and those of each person or bot, may take up. Uploads " +
      "beyond are refused; what is stored stays. From 80 % on, people see it when they upload, and 'confab doctor' says so.",
    examples: [
      "confab realm upload-limits",
      "confab realm upload-limits --file 250 --quota 50000 --quota-per-user 2000",
    ],
    args: {
      file: option("MIB", mebibytes.optional(), "maximum size of one file"),
      quota: option("MIB", mebibytes.optional(), "maximum size of all files together; 0 for no limit"),
      quota_per_user: option(
        "MIB",
        mebibytes.optional(),
        "maximum size of all files of a person or bot; 0 for no limit",
      ),
    },
    result: z.object({
      max_file_upload_size_mib: z.int(),
      upload_quota_mib: z.int().nullable(),
      upload_quota_per_user_mib: z.int().nullable(),
      bytes: z.int(),
    }),
    run: async (ctx, { file, quota, quota_per_user: perUser }) => {
      const limits = {
        ...(file === undefined
          ? {}
          : { max_file_upload_size_mib: limitOf("max_file_upload_size_mib", file) }),
        ...(quota === undefined
          ? {}
          : { upload_quota_mib: limitOf("upload_quota_mib", quota === 0 ? null : quota) }),
        ...(perUser === undefined
          ? {}
          : {
              upload_quota_per_user_mib: limitOf("upload_quota_per_user_mib", perUser === 0 ? null : perUser),
            }),
      };
      if (Object.keys(limits).length > 0) await setUploadLimits(ctx, limits);
      const { max_file_upload_size_mib, upload_quota_mib, upload_quota_per_user_mib } =
        serverOptions.read(ctx);
      const bytes = getUploadSpace(ctx).organization.used;
      return { max_file_upload_size_mib, upload_quota_mib, upload_quota_per_user_mib, bytes };
    },
    print: ({
      max_file_upload_size_mib: file,
      upload_quota_mib: all,
      upload_quota_per_user_mib: own,
      bytes,
    }) =>
      `A file has at most ${file} MiB, all files together ${quotaText(all)}, those of a person or bot ${quotaText(own)}. ` +
      `All files together have ${bytesText(bytes)} now.`,
  }),

  command({
    name: "realm deactivate",
    summary: "Deactivate the organization",
    about:
      "Deactivates the organization: nobody can log in until 'confab realm reactivate'. Nothing is deleted.",
    examples: ["confab realm deactivate --yes"],
    args: { yes },
    result: activity,
    run: async (ctx, { yes }) => {
      const people = (await listAllUsers(ctx)).filter((user) => user.is_active && !user.is_bot);
      const loss = {
        does: "deactivates the organization for",
        count: [people.length, "person", "people"],
      } as const;
      await confirm({ ...loss, note: "Nobody can sign in afterwards; nothing is deleted." }, yes);
      await deactivateRealm(ctx, {});
      return { is_active: false };
    },
    print: () => "The organization is now deactivated. 'confab realm reactivate' reactivates it.",
  }),

  command({
    name: "realm reactivate",
    isHere: true,
    summary: "Reactivate the organization",
    examples: ["confab realm reactivate"],
    args: {},
    result: activity,
    run: async (ctx) => {
      await reactivateRealm(ctx);
      return { is_active: true };
    },
    print: () => "The organization is active again.",
  }),
  ...login,
  ...pictures,
];
