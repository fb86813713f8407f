// The table of sources.

import type { ExportReader } from "./intake/reading.ts";
import { readMattermost } from "./mattermost/reader.ts";
import type { ImportSource } from "./schema.ts";
import { readSlack } from "./slack/reader.ts";
import { readZulip } from "./zulip/reader.ts";

/** The sources whose exports are archives. */
export type Archived = Exclude<ImportSource, "confab">;

export const readers: Record<Archived, ExportReader> = {
  slack: { read: readSlack, fetchesFrom: ["slack.com", "slack-edge.com", "slack-files.com"] },
  zulip: { read: readZulip, fetchesFrom: [] },
  mattermost: { read: readMattermost, fetchesFrom: [] },
};
