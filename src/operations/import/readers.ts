// The table of sources.

import type { Reader } from "./intake/reading.ts";
import { readMattermost } from "./mattermost/reader.ts";
import type { Source } from "./schema.ts";
import { readSlack } from "./slack/reader.ts";
import { readZulip } from "./zulip/reader.ts";

/** The sources whose exports are archives. */
export type Archived = Exclude<Source, "confab">;

export const readers: Record<Archived, Reader> = {
  slack: { read: readSlack, fetchesFrom: ["slack.com", "slack-edge.com", "slack-files.com"] },
  zulip: { read: readZulip, fetchesFrom: [] },
  mattermost: { read: readMattermost, fetchesFrom: [] },
};
