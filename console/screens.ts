// All screens, in order.
import type { Screen } from "./screen.ts";
import { audit } from "./screens/audit.ts";
import { bots } from "./screens/bots.ts";
import { channels } from "./screens/channels.ts";
import { defaults } from "./screens/defaults.ts";
import { events } from "./screens/events.ts";
import { folders } from "./screens/folders.ts";
import { groups } from "./screens/groups.ts";
import { invitations } from "./screens/invitations.ts";
import { linkifiers } from "./screens/linkifiers.ts";
import { overview } from "./screens/overview.ts";
import { reports } from "./screens/reports.ts";
import { settings } from "./screens/settings.ts";
import { users } from "./screens/users.ts";

export const screens: readonly Screen[] = [
  overview,
  users,
  bots,
  groups,
  invitations,
  channels,
  folders,
  reports,
  settings,
  defaults,
  linkifiers,
  events,
  audit,
];
