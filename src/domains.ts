// Written by `npm run generate`.
import accountsDomain from "@/foundation/accounts/api.ts";
import addressChangesDomain from "@/foundation/address-changes/api.ts";
import auditDomain from "@/foundation/audit/api.ts";
import avatarsDomain from "@/foundation/avatars/api.ts";
import emojiDomain from "@/foundation/emoji/api.ts";
import filesDomain from "@/foundation/files/api.ts";
import firstVisitDomain from "@/foundation/first-visit/api.ts";
import groupsDomain from "@/foundation/groups/api.ts";
import keysDomain from "@/foundation/keys/api.ts";
import linkifiersDomain from "@/foundation/linkifiers/api.ts";
import loginDomain from "@/foundation/login/api.ts";
import mailDomain from "@/foundation/mail/api.ts";
import ownAccountDomain from "@/foundation/own-account/api.ts";
import playgroundsDomain from "@/foundation/playgrounds/api.ts";
import profileFieldsDomain from "@/foundation/profile-fields/api.ts";
import proofsDomain from "@/foundation/proofs/api.ts";
import realmAdministrationDomain from "@/foundation/realm-administration/api.ts";
import recoveryDomain from "@/foundation/recovery/api.ts";
import sessionsDomain from "@/foundation/sessions/api.ts";
import twoStepDomain from "@/foundation/two-step/api.ts";
import type { Domain } from "@/kernel/http/domain.ts";
import alertWordsDomain from "@/messaging/alert-words/api.ts";
import backgroundJobsDomain from "@/messaging/background-jobs/api.ts";
import bulkDeletionDomain from "@/messaging/bulk-deletion/api.ts";
import channelActivityDomain from "@/messaging/channel-activity/api.ts";
import flagsDomain from "@/messaging/flags/api.ts";
import messageEditsDomain from "@/messaging/message-edits/api.ts";
import messageHistoryDomain from "@/messaging/message-history/api.ts";
import messageIndexDomain from "@/messaging/message-index/api.ts";
import messagePagesDomain from "@/messaging/message-pages/api.ts";
import messagesDomain from "@/messaging/messages/api.ts";
import mutedUsersDomain from "@/messaging/muted-users/api.ts";
import reactionsDomain from "@/messaging/reactions/api.ts";
import reportsDomain from "@/messaging/reports/api.ts";
import sendingDomain from "@/messaging/sending/api.ts";
import submessagesDomain from "@/messaging/submessages/api.ts";
import uploadsDomain from "@/messaging/uploads/api.ts";
import apiReferenceDomain from "@/operations/api-reference/api.ts";
import backupDomain from "@/operations/backup/api.ts";
import certificatesDomain from "@/operations/certificates/api.ts";
import commandLineDomain from "@/operations/command-line/api.ts";
import devDomain from "@/operations/dev/api.ts";
import erasingDomain from "@/operations/erasing/api.ts";
import exportDomain from "@/operations/export/api.ts";
import metricsDomain from "@/operations/metrics/api.ts";
import nodesDomain from "@/operations/nodes/api.ts";
import serverLogDomain from "@/operations/server-log/api.ts";
import statisticsDomain from "@/operations/statistics/api.ts";
import botCallsDomain from "@/outside/bot-calls/api.ts";
import botsDomain from "@/outside/bots/api.ts";
import eventsDomain from "@/outside/events/api.ts";
import incomingWebhooksDomain from "@/outside/incoming-webhooks/api.ts";
import invitationsDomain from "@/outside/invitations/api.ts";
import linkPreviewsDomain from "@/outside/link-previews/api.ts";
import missedMessagesDomain from "@/outside/missed-messages/api.ts";
import singleSignOnDomain from "@/outside/single-sign-on/api.ts";
import webDomain from "@/outside/web/api.ts";
import webPushDomain from "@/outside/web-push/api.ts";
import webhooksDomain from "@/outside/webhooks/api.ts";
import clientDevicesDomain from "@/personal/client-devices/api.ts";
import draftsDomain from "@/personal/drafts/api.ts";
import navigationViewsDomain from "@/personal/navigation-views/api.ts";
import onboardingDomain from "@/personal/onboarding/api.ts";
import presenceDomain from "@/personal/presence/api.ts";
import remindersDomain from "@/personal/reminders/api.ts";
import savedSnippetsDomain from "@/personal/saved-snippets/api.ts";
import scheduledMessagesDomain from "@/personal/scheduled-messages/api.ts";
import typingDomain from "@/personal/typing/api.ts";
import userStatusDomain from "@/personal/user-status/api.ts";
import channelAdministrationDomain from "@/places/channel-administration/api.ts";
import defaultChannelsDomain from "@/places/default-channels/api.ts";
import foldersDomain from "@/places/folders/api.ts";
import subscriptionsDomain from "@/places/subscriptions/api.ts";
import userTopicsDomain from "@/places/user-topics/api.ts";

/** Every domain of the server; the order decides only between paths that match alike. */
export const domains: readonly Domain[] = [
  accountsDomain,
  addressChangesDomain,
  auditDomain,
  avatarsDomain,
  emojiDomain,
  filesDomain,
  firstVisitDomain,
  groupsDomain,
  keysDomain,
  linkifiersDomain,
  loginDomain,
  mailDomain,
  ownAccountDomain,
  playgroundsDomain,
  profileFieldsDomain,
  proofsDomain,
  realmAdministrationDomain,
  recoveryDomain,
  sessionsDomain,
  twoStepDomain,
  alertWordsDomain,
  backgroundJobsDomain,
  bulkDeletionDomain,
  channelActivityDomain,
  flagsDomain,
  messageEditsDomain,
  messageHistoryDomain,
  messageIndexDomain,
  messagePagesDomain,
  messagesDomain,
  mutedUsersDomain,
  reactionsDomain,
  reportsDomain,
  sendingDomain,
  submessagesDomain,
  uploadsDomain,
  apiReferenceDomain(() => domains),
  backupDomain,
  certificatesDomain,
  commandLineDomain,
  devDomain,
  erasingDomain,
  exportDomain,
  metricsDomain,
  nodesDomain,
  serverLogDomain,
  statisticsDomain,
  botCallsDomain,
  botsDomain,
  eventsDomain,
  incomingWebhooksDomain,
  invitationsDomain,
  linkPreviewsDomain,
  missedMessagesDomain,
  singleSignOnDomain,
  webDomain,
  webPushDomain,
  webhooksDomain,
  clientDevicesDomain,
  draftsDomain,
  navigationViewsDomain,
  onboardingDomain,
  presenceDomain,
  remindersDomain,
  savedSnippetsDomain,
  scheduledMessagesDomain,
  typingDomain,
  userStatusDomain,
  channelAdministrationDomain,
  defaultChannelsDomain,
  foldersDomain,
  subscriptionsDomain,
  userTopicsDomain,
];
