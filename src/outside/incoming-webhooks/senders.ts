// All senders. To add one: a file in senders/, a line here, and fixtures in test/support/incoming-webhooks.
import type { WebhookSender } from "./sender.ts";
import alertmanager from "./senders/alertmanager.ts";
import gitea from "./senders/gitea.ts";
import github from "./senders/github.ts";
import gitlab from "./senders/gitlab.ts";
import grafana from "./senders/grafana.ts";
import json from "./senders/json.ts";
import sentry from "./senders/sentry.ts";
import slackIncoming from "./senders/slack-incoming.ts";

export const senders: readonly WebhookSender[] = [
  ...[alertmanager, gitea, github, gitlab, grafana, json, sentry, slackIncoming],
];

export function senderNamed(name: string): WebhookSender | null {
  return senders.find((one) => one.name === name) ?? null;
}
