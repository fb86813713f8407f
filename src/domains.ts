import accounts from "@/foundation/accounts/api.ts";
import addressChanges from "@/foundation/address-changes/api.ts";
import audit from "@/foundation/audit/api.ts";
import avatars from "@/foundation/avatars/api.ts";
import emoji from "@/foundation/emoji/api.ts";
import files from "@/foundation/files/api.ts";
import groups from "@/foundation/groups/api.ts";
import keys from "@/foundation/keys/api.ts";
import linkifiers from "@/foundation/linkifiers/api.ts";
import login from "@/foundation/login/api.ts";
import mail from "@/foundation/mail/api.ts";
import ownAccount from "@/foundation/own-account/api.ts";
import playgrounds from "@/foundation/playgrounds/api.ts";
import profileFields from "@/foundation/profile-fields/api.ts";
import proofs from "@/foundation/proofs/api.ts";
import realm from "@/foundation/realm-administration/api.ts";
import recovery from "@/foundation/recovery/api.ts";
import sessions from "@/foundation/sessions/api.ts";
import twoStep from "@/foundation/two-step/api.ts";
import type { Domain } from "@/kernel/http/domain.ts";
import alertWords from "@/messaging/alert-words/api.ts";
import backgroundJobs from "@/messaging/background-jobs/api.ts";
import bulkDeletion from "@/messaging/bulk-deletion/api.ts";
import channelActivity from "@/messaging/channel-activity/api.ts";
import receipts from "@/messaging/flags/api.ts";
import messageEdits from "@/messaging/message-edits/api.ts";
import messageHistory from "@/messaging/message-history/api.ts";
import messageIndex from "@/messaging/message-index/api.ts";
import messagePages from "@/messaging/message-pages/api.ts";
import messages from "@/messaging/messages/api.ts";
import mutedUsers from "@/messaging/muted-users/api.ts";
import reactions from "@/messaging/reactions/api.ts";
import reports from "@/messaging/reports/api.ts";
import sending from "@/messaging/sending/api.ts";
import submessages from "@/messaging/submessages/api.ts";
import uploads from "@/messaging/uploads/api.ts";
import { apiReference } from "@/operations/api-reference/api.ts";
import commandLine from "@/operations/command-line/api.ts";
import dev from "@/operations/dev/api.ts";
import exports from "@/operations/export/api.ts";
import metrics from "@/operations/metrics/api.ts";
import nodes from "@/operations/nodes/api.ts";
import serverLog from "@/operations/server-log/api.ts";
import bots from "@/outside/bots/api.ts";
import events from "@/outside/events/api.ts";
import incomingWebhooks from "@/outside/incoming-webhooks/api.ts";
import invitations from "@/outside/invitations/api.ts";
import missedMessages from "@/outside/missed-messages/api.ts";
import singleSignOn from "@/outside/single-sign-on/api.ts";
import web from "@/outside/web/api.ts";
import webPush from "@/outside/web-push/api.ts";
import webhooks from "@/outside/webhooks/api.ts";
import drafts from "@/personal/drafts/api.ts";
import navigationViews from "@/personal/navigation-views/api.ts";
import onboarding from "@/personal/onboarding/api.ts";
import presence from "@/personal/presence/api.ts";
import reminders from "@/personal/reminders/api.ts";
import savedSnippets from "@/personal/saved-snippets/api.ts";
import scheduledMessages from "@/personal/scheduled-messages/api.ts";
import typing from "@/personal/typing/api.ts";
import userStatus from "@/personal/user-status/api.ts";
import channels from "@/places/channel-administration/api.ts";
import defaultChannels from "@/places/default-channels/api.ts";
import folders from "@/places/folders/api.ts";
import subscriptions from "@/places/subscriptions/api.ts";
import userTopics from "@/places/user-topics/api.ts";

/** Every domain of the server; the order decides only between paths that match alike. */
export const domains: readonly Domain[] = [
  alertWords,
  audit,
  login,
  avatars,
  apiReference(() => domains),
  bots,
  bulkDeletion,
  channelActivity,
  channels,
  commandLine,
  defaultChannels,
  dev,
  drafts,
  emoji,
  events,
  exports,
  files,
  folders,
  groups,
  incomingWebhooks,
  invitations,
  keys,
  linkifiers,
  mail,
  messageEdits,
  messageHistory,
  messageIndex,
  messagePages,
  messages,
  metrics,
  missedMessages,
  mutedUsers,
  navigationViews,
  nodes,
  onboarding,
  playgrounds,
  presence,
  profileFields,
  proofs,
  reactions,
  realm,
  receipts,
  addressChanges,
  recovery,
  reminders,
  reports,
  savedSnippets,
  scheduledMessages,
  serverLog,
  singleSignOn,
  sending,
  sessions,
  submessages,
  subscriptions,
  backgroundJobs,
  twoStep,
  typing,
  accounts,
  ownAccount,
  userStatus,
  uploads,
  userTopics,
  web,
  webPush,
  webhooks,
];
