import { z } from "zod";
import { oneFile, theFile } from "@/foundation/files/incoming.ts";
import { pictureAnswer, pictureName } from "@/foundation/files/kept-pictures.ts";
import { domainName, limits, newDomain, type RealmPicture, realmDomain } from "@/foundation/realm/schema.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { deactivateRealm } from "./actions.ts";
import { updateRealm } from "./actions-changes.ts";
import { addDomain, changeDomain, removeDomain } from "./actions-domains.ts";
import { deleteRealmPicture, setRealmPicture } from "./actions-pictures.ts";
import {
  absentCall,
  absentSections,
  listDomains,
  realmPictureAddress,
  realmState,
  serverSettings,
} from "./queries.ts";
import { realmParams } from "./schema.ts";

const logoParams = { night: z.boolean() };

const logoOf = ({ night }: { night: boolean }): RealmPicture => (night ? "night_logo" : "logo");

const pictureEndpoints = [
  endpoint("get-realm-icon", {
    about: "Redirects to the organization's icon.",
    method: "GET",
    path: "/realm/icon",
    run: (ctx) => realmPictureAddress(ctx, "icon"),
  }),
  endpoint("post-realm-icon", {
    about: "Sets the organization's icon from an uploaded file. Administrators only.",
    method: "POST",
    path: "/realm/icon",
    body: oneFile(() => ({ maxMib: limits.max_icon_file_size_mib })),
    returns: { icon_url: z.string() },
    run: async (ctx, _, { files }) => {
      const { icon_url } = await setRealmPicture(ctx, { which: "icon", received: theFile(files) });
      return { icon_url };
    },
  }),
  endpoint("delete-realm-icon", {
    about: "Removes the organization's icon; the generated one is shown again. Administrators only.",
    method: "DELETE",
    path: "/realm/icon",
    returns: { icon_url: z.string() },
    run: async (ctx) => ({ icon_url: (await deleteRealmPicture(ctx, "icon")).icon_url }),
  }),
  endpoint("get-realm-logo", {
    about: "Redirects to the organization's logo for a light or dark theme.",
    method: "GET",
    path: "/realm/logo",
    params: logoParams,
    run: (ctx, params) => realmPictureAddress(ctx, logoOf(params)),
  }),
  endpoint("post-realm-logo", {
    about: "Sets the organization's logo for a light or dark theme. Administrators only.",
    method: "POST",
    path: "/realm/logo",
    body: oneFile(() => ({ maxMib: limits.max_logo_file_size_mib })),
    params: logoParams,
    run: async (ctx, params, { files }) => {
      await setRealmPicture(ctx, { which: logoOf(params), received: theFile(files) });
    },
  }),
  endpoint("delete-realm-logo", {
    about: "Removes the organization's logo for a light or dark theme. Administrators only.",
    method: "DELETE",
    path: "/realm/logo",
    params: logoParams,
    run: async (ctx, params) => {
      await deleteRealmPicture(ctx, logoOf(params));
    },
  }),
  endpoint("get-realm-picture", {
    about: "Returns the organization's icon or logo.",
    method: "GET",
    path: `/user_avatars/{realm:[0-9]+}/realm/{picture:${pictureName}}`,
    root: true,
    auth: "none",
    params: { realm: z.string(), picture: z.string() },
    run: (ctx, { picture }, request) => pictureAnswer(ctx, picture, request),
  }),
];

const url = z.string();

/** Call providers that this server does not support; clients know this answer from servers without an account there. */
const callEndpoints = [
  endpoint("create-big-blue-button-video-call", {
    about: "Answers that BigBlueButton is not configured: this server has no account there.",
    method: "GET",
    path: "/calls/bigbluebutton/create",
    params: { meeting_name: z.string(), voice_only: z.boolean().default(false) },
    returns: { url },
    run: (ctx) => absentCall(ctx, "BigBlueButton"),
  }),
  endpoint("post-calls-zoom-create", {
    about: "Answers that Zoom is not configured: this server has no account there.",
    method: "POST",
    path: "/calls/zoom/create",
    params: { is_video_call: z.boolean().default(true) },
    returns: { url },
    run: (ctx) => absentCall(ctx, "Zoom"),
  }),
  endpoint("create-constructor-groups-video-call", {
    about: "Answers that Constructor Groups is not configured: this server has no account there.",
    method: "POST",
    path: "/calls/constructorgroups/create",
    returns: { url },
    run: (ctx) => absentCall(ctx, "Constructor Groups"),
  }),
  endpoint("create-nextcloud-talk-video-call", {
    about: "Answers that Nextcloud Talk is not configured: this server has no account there.",
    method: "POST",
    path: "/calls/nextcloud_talk/create",
    params: { room_name: z.string() },
    returns: { url },
    run: (ctx) => absentCall(ctx, "Nextcloud Talk"),
  }),
];

/** The settings whose value is different now. */
const changed = Object.fromEntries(Object.keys(realmParams).map((name) => [name, z.unknown().optional()]));

export default domain({
  name: "realm",
  about: "creating, changing, closing and reopening the organization; its part of the initial state",
  state: {
    realm: forSpectators(realmState),
    realm_domains: forSpectators((ctx) => ({ realm_domains: listDomains(ctx) }), { realm_domains: [] }),
    ...absentSections,
  },
  endpoints: [
    endpoint("get-server-settings", {
      about:
        "Returns what a client needs before it signs in: version, feature level, the organization's name and icon, login methods. Needs no credentials.",
      method: "GET",
      path: "/server_settings",
      auth: "none",
      returns: { realm_name: z.string(), service_feature_level: z.int() },
      run: serverSettings,
    }),
    endpoint("update-realm", {
      about:
        "Changes settings of the organization. Most need an administrator, some an owner; makes all changes or none.",
      method: "PATCH",
      path: "/realm",
      params: realmParams,
      returns: changed,
      keeps: "results",
      run: (ctx, params) => updateRealm(ctx, params),
    }),
    endpoint("get-realm-domains", {
      about: "Lists the domains to which the email addresses of people who join may belong.",
      method: "GET",
      path: "/realm/domains",
      returns: { domains: z.array(realmDomain) },
      run: (ctx) => ({ domains: listDomains(ctx) }),
    }),
    endpoint("post-realm-domains", {
      about: "Lets people join with email addresses of a domain. Owners only.",
      method: "POST",
      path: "/realm/domains",
      params: newDomain.shape,
      returns: { new_domain: z.tuple([z.int(), z.string()]) },
      keeps: "results",
      run: async (ctx, params) => ({ new_domain: await addDomain(ctx, params) }),
    }),
    endpoint("patch-realm-domains-domain", {
      about: "Sets whether subdomains of an allowed domain are allowed, too. Owners only.",
      method: "PATCH",
      path: "/realm/domains/{domain}",
      params: newDomain.shape,
      run: (ctx, params) => changeDomain(ctx, params),
    }),
    endpoint("delete-realm-domains-domain", {
      about:
        "No longer lets people join with email addresses of a domain. Without the last domain, all may join again. Owners only.",
      method: "DELETE",
      path: "/realm/domains/{domain}",
      params: { domain: domainName },
      run: (ctx, params) => removeDomain(ctx, params.domain),
    }),
    endpoint("post-realm-deactivate", {
      about: "Deactivates the organization: everyone is signed out, nothing is deleted. Owners only.",
      method: "POST",
      path: "/realm/deactivate",
      params: { deletion_delay_days: z.int().nullable().optional() },
      run: (ctx, params) => deactivateRealm(ctx, params),
    }),
    ...pictureEndpoints,
    ...callEndpoints,
  ],
});
