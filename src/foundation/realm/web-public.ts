import { may } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { realmSettings, serverOptions } from "./schema.ts";

/** Why the actor may not make channels web-public; null if server, organization and permission allow it. */
export function webPublicRefusal(ctx: Ctx): string | null {
  if (!serverOptions.read(ctx).web_public_channels) {
    return "Web-public channels are not enabled on this server.";
  }
  if (!realmSettings.read(ctx).enable_spectator_access) {
    return "Web-public channels are not enabled in this organization.";
  }
  const isAllowed = may(ctx, "can_create_web_public_channel_group");
  return isAllowed ? null : "You do not have permission to create web-public channels.";
}

export function mayMakeWebPublic(ctx: Ctx): boolean {
  return webPublicRefusal(ctx) === null;
}
