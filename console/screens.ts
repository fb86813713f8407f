// All screens, in order.
import type { Screen } from "./screen.ts";
import { audit } from "./screens/audit.ts";
import { backups } from "./screens/backups.ts";
import { bots } from "./screens/bots.ts";
import { channelGroups } from "./screens/channel-groups.ts";
import { channels } from "./screens/channels.ts";
import { defaults } from "./screens/defaults.ts";
import { doctor } from "./screens/doctor.ts";
import { domains } from "./screens/domains.ts";
import { emoji } from "./screens/emoji.ts";
import { events } from "./screens/events.ts";
import { exports } from "./screens/exports.ts";
import { files } from "./screens/files.ts";
import { folders } from "./screens/folders.ts";
import { groups } from "./screens/groups.ts";
import { invitations } from "./screens/invitations.ts";
import { linkifiers } from "./screens/linkifiers.ts";
import { log } from "./screens/log.ts";
import { mail } from "./screens/mail.ts";
import { messages } from "./screens/messages.ts";
import { nodes } from "./screens/nodes.ts";
import { overview } from "./screens/overview.ts";
import { profileFields } from "./screens/profile-fields.ts";
import { reports } from "./screens/reports.ts";
import { requests } from "./screens/requests.ts";
import { retention } from "./screens/retention.ts";
import { sessions } from "./screens/sessions.ts";
import { settings } from "./screens/settings.ts";
import { users } from "./screens/users.ts";
import { webhooks } from "./screens/webhooks.ts";

export const screens: readonly Screen[] = [
  overview,
  users,
  bots,
  groups,
  invitations,
  sessions,
  profileFields,
  channels,
  messages,
  folders,
  channelGroups,
  reports,
  settings,
  defaults,
  linkifiers,
  emoji,
  domains,
  retention,
  files,
  log,
  events,
  requests,
  audit,
  doctor,
  backups,
  exports,
  mail,
  webhooks,
];

/** With the screen of a cluster's nodes next to one of them. */
export function screensFor(isNode: boolean): readonly Screen[] {
  return isNode ? screens.flatMap((one) => (one === doctor ? [nodes, one] : [one])) : screens;
}
