import { roles } from "@/foundation/permissions/schema.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { myself, welcomeBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { findChannel } from "@/places/channels/access.ts";
import { defaultChannelIds } from "@/places/default-channels/access.ts";
import { welcomeText } from "./present.ts";

/** Sends the actor the welcome message. If the server has never run, its first start does that instead. */
export function welcomeNewcomer(tx: Tx): void {
  const { site, name: organization } = realmSettings.read(tx);
  if (site === "" || serverOptions.read(tx).no_welcome) return;
  const { delivery_email: email, role, password_hash } = myself(tx);
  const [first] = role === roles.guest ? [] : defaultChannelIds(tx);
  const channel = first === undefined ? null : (findChannel(tx, first)?.name ?? null);
  const traits = { isOwner: role === roles.owner, hasPassword: password_hash !== null };
  const login = { site, email, takesPasswords: takesPasswords(tx) };
  const content = welcomeText({ organization, channel, ...login, ...traits });
  sendNotice(tx, { to: { people: [tx.actor.id] }, content, from: welcomeBot(tx).id });
}
