import { z } from "zod";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { updateRealm } from "./changes.ts";
import { deactivateRealm } from "./deactivation.ts";
import { addDomain, changeDomain, listDomains, removeDomain } from "./domains.ts";
import { realmState, serverSettings } from "./queries.ts";
import { domainName, realmDomain } from "./schema.ts";
import { realmParams } from "./updates.ts";

export default domain({
  name: "realm",
  state: { realm: realmState, realm_domains: (ctx) => ({ realm_domains: listDomains(ctx) }) },
  endpoints: [
    endpoint("get-server-settings", {
      method: "GET",
      path: "/server_settings",
      auth: "none",
      returns: { realm_name: z.string(), service_feature_level: z.int() },
      run: serverSettings,
    }),
    endpoint("update-realm", {
      method: "PATCH",
      path: "/realm",
      params: realmParams,
      run: (ctx, params) => updateRealm(ctx, params),
    }),
    endpoint("get-realm-domains", {
      method: "GET",
      path: "/realm/domains",
      returns: { domains: z.array(realmDomain) },
      run: (ctx) => ({ domains: listDomains(ctx) }),
    }),
    endpoint("post-realm-domains", {
      method: "POST",
      path: "/realm/domains",
      params: { domain: domainName, allow_subdomains: z.boolean() },
      returns: { new_domain: z.tuple([z.int(), z.string()]) },
      run: async (ctx, params) => ({ new_domain: await addDomain(ctx, params) }),
    }),
    endpoint("patch-realm-domains-domain", {
      method: "PATCH",
      path: "/realm/domains/{domain}",
      params: { domain: domainName, allow_subdomains: z.boolean() },
      run: async (ctx, params) => {
        await changeDomain(ctx, params);
        return {};
      },
    }),
    endpoint("delete-realm-domains-domain", {
      method: "DELETE",
      path: "/realm/domains/{domain}",
      params: { domain: domainName },
      run: async (ctx, params) => {
        await removeDomain(ctx, params.domain);
        return {};
      },
    }),
    endpoint("post-realm-deactivate", {
      method: "POST",
      path: "/realm/deactivate",
      params: { deletion_delay_days: z.int().nullable().optional() },
      run: async (ctx, params) => {
        await deactivateRealm(ctx, params);
        return {};
      },
    }),
  ],
});
