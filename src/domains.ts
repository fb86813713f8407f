import alertWords from "@/alert-words/api.ts";
import auth from "@/auth/api.ts";
import bots from "@/bots/api.ts";
import channels from "@/channels/api.ts";
import defaultChannels from "@/default-channels/api.ts";
import dev from "@/dev/api.ts";
import drafts from "@/drafts/api.ts";
import emoji from "@/emoji/api.ts";
import events from "@/events/api.ts";
import exports from "@/export/api.ts";
import folders from "@/folders/api.ts";
import groups from "@/groups/api.ts";
import invitations from "@/invitations/api.ts";
import type { Domain } from "@/kernel/domain.ts";
import linkifiers from "@/linkifiers/api.ts";
import mail from "@/mail/api.ts";
import messages from "@/messages/api.ts";
import metrics from "@/metrics/api.ts";
import mutedUsers from "@/muted-users/api.ts";
import navigationViews from "@/navigation-views/api.ts";
import onboarding from "@/onboarding/api.ts";
import playgrounds from "@/playgrounds/api.ts";
import presence from "@/presence/api.ts";
import profileFields from "@/profile-fields/api.ts";
import reactions from "@/reactions/api.ts";
import realm from "@/realm/api.ts";
import receipts from "@/receipts/api.ts";
import reminders from "@/reminders/api.ts";
import reports from "@/reports/api.ts";
import savedSnippets from "@/saved-snippets/api.ts";
import scheduledMessages from "@/scheduled-messages/api.ts";
import submessages from "@/submessages/api.ts";
import subscriptions from "@/subscriptions/api.ts";
import typing from "@/typing/api.ts";
import uploads from "@/uploads/api.ts";
import userSettings from "@/user-settings/api.ts";
import userStatus from "@/user-status/api.ts";
import userTopics from "@/user-topics/api.ts";
import users from "@/users/api.ts";
import webhooks from "@/webhooks/api.ts";

/** Every domain of the server; the order decides only between paths that match alike. */
export const domains: readonly Domain[] = [
  alertWords,
  auth,
  bots,
  channels,
  defaultChannels,
  dev,
  drafts,
  emoji,
  events,
  exports,
  folders,
  groups,
  invitations,
  linkifiers,
  mail,
  messages,
  metrics,
  mutedUsers,
  navigationViews,
  onboarding,
  playgrounds,
  presence,
  profileFields,
  reactions,
  realm,
  receipts,
  reminders,
  reports,
  savedSnippets,
  scheduledMessages,
  submessages,
  subscriptions,
  typing,
  users,
  userSettings,
  userStatus,
  uploads,
  userTopics,
  webhooks,
];
