import { z } from "zod";
import { domainName, type RealmDomain, realmSettings } from "@/foundation/realm/schema.ts";
import { listDomains } from "@/foundation/realm-administration/queries.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { addDomain, changeDomain, removeDomain } from "../changes/organization.ts";
import { line, wrapLines } from "../layout.ts";
import { changeForm, form, type ScreenForm, screen } from "../screen.ts";

const subdomains = {
  label: "Subdomains",
  about: "Addresses of its subdomains may join too.",
  rule: z.boolean(),
};
const yesNo = (value: boolean) => (value ? "yes" : "no");

function newDomain(): ScreenForm {
  return form({
    title: "A new domain",
    fields: {
      domain: { label: "Domain", about: "The part of an address behind the @.", rule: domainName },
      allow_subdomains: { ...subdomains, start: "no" },
    },
    async submit(ctx, added) {
      await addDomain(ctx, added);
      return { message: `Added the domain ${added.domain}.`, undo: (now) => removeDomain(now, added.domain) };
    },
  });
}

function edit(_: Ctx, { domain, allow_subdomains }: RealmDomain): ScreenForm {
  return changeForm({
    title: `The domain ${domain}`,
    fields: { allow_subdomains: { ...subdomains, start: yesNo(allow_subdomains) } },
    async submit(ctx, changes) {
      await changeDomain(ctx, { domain, allow_subdomains: changes.allow_subdomains ?? allow_subdomains });
      return { message: `Changed the domain ${domain}.` };
    },
  });
}

export const domains = screen<RealmDomain>({
  key: "D",
  title: "Domains",
  area: "Organization",
  about: "whose e-mail addresses may join",
  empty: "There are no domains.",
  rows: ({ ctx }) => listDomains(ctx()),
  id: ({ domain }) => domain,
  head: ({ ctx }, { width }) =>
    realmSettings.read(ctx()).emails_restricted_to_domains
      ? [line("Only addresses of these domains may join.", "good"), []]
      : [
          ...wrapLines(
            "Addresses of all domains may join: the setting that restricts them is off.",
            width,
            "warn",
          ),
          [],
        ],
  copies: ({ domain }) => domain,
  columns: [
    { title: "DOMAIN", value: ({ domain }) => domain, grow: true },
    { title: "SUBDOMAINS", value: ({ allow_subdomains }) => yesNo(allow_subdomains) },
  ],
  facts: (_, { domain, allow_subdomains }) => [
    ["Domain", domain],
    ["Subdomains", yesNo(allow_subdomains)],
  ],
  create: { title: "new domain", form: newDomain },
  edit,
  rowActions: [
    {
      key: "d",
      title: () => "remove",
      confirm: ({ domain }) =>
        `Remove the domain ${domain}? Its addresses can no longer join where only listed ones may.`,
      async run(ctx, removed) {
        await removeDomain(ctx, removed.domain);
        return { message: `Removed the domain ${removed.domain}.`, undo: (now) => addDomain(now, removed) };
      },
    },
  ],
});
