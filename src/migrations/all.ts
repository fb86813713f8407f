import initial from "./0001_initial.sql" with { type: "text" };
import reactions from "./0002_reactions.sql" with { type: "text" };
import linkifiers from "./0003_linkifiers.sql" with { type: "text" };
import personal from "./0004_personal.sql" with { type: "text" };
import uploads from "./0005_uploads.sql" with { type: "text" };
import groups from "./0006_groups.sql" with { type: "text" };
import channels from "./0007_channels.sql" with { type: "text" };
import personalLists from "./0008_personal_lists.sql" with { type: "text" };
import presence from "./0009_presence.sql" with { type: "text" };
import edits from "./0010_edits.sql" with { type: "text" };
import widgets from "./0011_widgets.sql" with { type: "text" };
import audit from "./0012_audit.sql" with { type: "text" };
import people from "./0013_people.sql" with { type: "text" };
import reports from "./0013_reports.sql" with { type: "text" };
import invitations from "./0014_invitations.sql" with { type: "text" };
import exports from "./0015_exports.sql" with { type: "text" };
import linkifierDialects from "./0016_linkifier_dialects.sql" with { type: "text" };
import sessions from "./0017_sessions.sql" with { type: "text" };
import indexMerges from "./0018_index_merges.sql" with { type: "text" };
import webhookSecrets from "./0019_webhook_secrets.sql" with { type: "text" };
import mail from "./0020_mail.sql" with { type: "text" };
import webPush from "./0021_web_push.sql" with { type: "text" };
import recovery from "./0022_recovery.sql" with { type: "text" };
import handledReports from "./0023_handled_reports.sql" with { type: "text" };
import subscriberCounts from "./0024_subscriber_counts.sql" with { type: "text" };
import topicWork from "./0025_topic_work.sql" with { type: "text" };
import senderIndex from "./0026_sender_index.sql" with { type: "text" };
import staleReminders from "./0027_stale_reminders.sql" with { type: "text" };
import messagesToIndex from "./0028_messages_to_index.sql" with { type: "text" };
import knownBrowsers from "./0029_known_browsers.sql" with { type: "text" };
import auditNames from "./0030_audit_names.sql" with { type: "text" };
import addressProofs from "./0031_address_proofs.sql" with { type: "text" };
import whoseAccount from "./0032_whose_account.sql" with { type: "text" };
import retentionHolds from "./0033_retention_holds.sql" with { type: "text" };
import keys from "./0034_keys.sql" with { type: "text" };
import departures from "./0035_departures.sql" with { type: "text" };
import mailReaders from "./0036_mail_readers.sql" with { type: "text" };
import watching from "./0037_watching.sql" with { type: "text" };

/** All migrations in order; a released one is never changed. */
export const migrations: readonly string[] = [
  initial,
  reactions,
  linkifiers,
  personal,
  uploads,
  groups,
  channels,
  personalLists,
  presence,
  edits,
  widgets,
  audit,
  people,
  reports,
  invitations,
  exports,
  linkifierDialects,
  sessions,
  indexMerges,
  webhookSecrets,
  mail,
  webPush,
  recovery,
  handledReports,
  subscriberCounts,
  topicWork,
  senderIndex,
  staleReminders,
  messagesToIndex,
  knownBrowsers,
  auditNames,
  addressProofs,
  whoseAccount,
  retentionHolds,
  keys,
  departures,
  mailReaders,
  watching,
];
