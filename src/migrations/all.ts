// Written by `npm run generate`.
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
import idempotencyKeys from "./0038_idempotency_keys.sql" with { type: "text" };
import linkPreviews from "./0039_link_previews.sql" with { type: "text" };
import erasing from "./0040_erasing.sql" with { type: "text" };
import firstLogins from "./0041_first_logins.sql" with { type: "text" };
import botCalls from "./0042_bot_calls.sql" with { type: "text" };
import reportDecisions from "./0043_report_decisions.sql" with { type: "text" };
import statistics from "./0044_statistics.sql" with { type: "text" };
import levelNames from "./0045_level_names.sql" with { type: "text" };
import picturesAndMatching from "./0046_pictures_and_matching.sql" with { type: "text" };
import clientDevices from "./0047_client_devices.sql" with { type: "text" };
import linkifiersBackwards from "./0048_linkifiers_backwards.sql" with { type: "text" };
import fileSizes from "./0049_file_sizes.sql" with { type: "text" };
import webhookTemplates from "./0050_webhook_templates.sql" with { type: "text" };
import sessionHandovers from "./0051_session_handovers.sql" with { type: "text" };

/** In the order in which they run, each with its SHA-256: one that has landed never changes, because data folders have run it. */
export const landed: readonly (readonly [sql: string, hash: string])[] = [
  [initial, "bccf8bc3ab838ac244518e9bb115deece06c3b50bdf027492723efdd23b12491"],
  [reactions, "38ce40d3eee6a82891d30834865ac937190234008a3b43ebc0a8dfeafab002a4"],
  [linkifiers, "5d7fff1046b6192e70ab2bdb1e799cf4467fbc295e4d832c8f6b51a9631f60b0"],
  [personal, "518527af1a7fb73952a3444167b9e6c260e906c216edda3a958d71e9c4e71be6"],
  [uploads, "dd0b083e6da6d9c01848c6aba74c09aa19ae745b0df6cf7fff2e4bea0a0ab1c1"],
  [groups, "6b2e6605b018736f6d15d9f21bacbf1dbba4d9c803f50424876f3691767445c9"],
  [channels, "392685376234c3fb39f9d94637bc7fcd9c95b1eecb39dd9f137c7195a6ab87ea"],
  [personalLists, "4fbf2551d36fc3490a4c3ac90a4b8a4aae307f01889c7793eef647225dc79b8f"],
  [presence, "6b056c89f8bc8c36ae38a79a03d014bdbcbc052b802435936ea9cd25bbaa2c6d"],
  [edits, "84832faa2e2c00fb91ef64ff674c7d7227753d1616422cbd20fddf9a0d5fdc69"],
  [widgets, "4173a79692e6b7e9ff13d678aa438ae53af36da74548cb3c6dbeb88a06cf6f3f"],
  [audit, "5a404a4563e09f6c75a196d910417313e0d5311b4696486a49aff0d197a84102"],
  [people, "bc56370022305afc491b10b2c107be8596d504b71534d70fd5069b78e0f94c46"],
  [reports, "5ea5598876e24c342091698d3fbaff44e1492af3e378b8c6289e8c774db179fa"],
  [invitations, "28dbfcfa6e120b4bde6ed71c04f63cbcfc2fb0e546457ce946d152e0cbada783"],
  [exports, "67fe4092796d3d78c73176fad7f1994b2b8943ed546078ccc32597cc6f386288"],
  [linkifierDialects, "35552605d7b010e9d80008708df6cac8c76ae98e10dd375a5ddf8407d17634bc"],
  [sessions, "462bede7f958b2ce0398c1f9deed3ecad7618300c091680d848c3b264185b660"],
  [indexMerges, "8bb4964cbc60acde0e870c1f40756c452c86c9ecd6fe3783983a7499a4282445"],
  [webhookSecrets, "7e27df3ff29ad199d13257d8e1d44f14ac8779db5fb1c2997e35c96e327a85bb"],
  [mail, "065ccc768fd24c7c484f1c82c48466121ac099bc80edcecbadc2eb618a1bb6b6"],
  [webPush, "1d2ee984aec45876c541ee641d1ad2bdab471769902e4cb5b51d4a16c204e1dc"],
  [recovery, "0197387932e5900f0048bc95fb3123358066af6dbd3e8ee081ff335867f44628"],
  [handledReports, "5939e583736032acd649bd3ec0f59a3c623d2e80efadc50ad0256f245e43be60"],
  [subscriberCounts, "9884850e88049db80a55de4d232c109d88335efe9173cb605b7fb64a31ba3463"],
  [topicWork, "8d73157459051bfb9d4ed714e8ecaf170c23415fbc6c663b2671a8cf794f533e"],
  [senderIndex, "6f2551749b9f79735e7b71bbb18bc896c7cfda5247feb75e1c2a32f8a6843659"],
  [staleReminders, "c27cc467c44f6cd7bed7a3b1c436255d778a2fc944cd0d962b397df99a5d1d36"],
  [messagesToIndex, "7ec29405c87fab645e459958ac2c35a2128999d3cf95cca1e4e05d3e951236e3"],
  [knownBrowsers, "4480bfe535ad695d5b3653a7301927858015ae3420b443c1d2f304ea5e0a01e2"],
  [auditNames, "f8e80243641f7e84a790c086863dbce20f929231212373e8ff727ffd5bb32e1f"],
  [addressProofs, "3274ab3f02d750039ad6a7c4fbf0531016ae7a37d5552271868afff53771c854"],
  [whoseAccount, "11aa1943e95981c638c5f4b0c335dea68428d1ce0b5d063aeca656fb07d4c459"],
  [retentionHolds, "37d771d666c8fa6d8b74905661e056b6d19736e2b8e03db4c19c453f9e5e16e8"],
  [keys, "3c0ef5310f6d2de0610fb1d81a5afb960412846831f10dd3e63eb1f7d5534f37"],
  [departures, "4f3a3d20f400128cec958a8a9e07685eb4dfa943a2aac399cfc5a45c39cc4cdc"],
  [mailReaders, "fb388f7e7c80ba34a03df5d64c5c3b173d6f9cd4c1be892d771555c5bfe4b207"],
  [watching, "ceaf49e467ccbfcc0c41db24d13027ee25db9119211cd75baf9fdfbd70c58c0d"],
  [idempotencyKeys, "a75f72df23b5acff50fae7b684503756f519f4617d5dd72f0814afe2b1b3f303"],
  [linkPreviews, "7516a8d7d454056e721989737173e5881758a581aa835f18777d2d8bc64d38a9"],
  [erasing, "502f02acce9f541302fbb97bcb24b1b4133868846bd96aa17f0295471d87d138"],
  [firstLogins, "c840f802fc7fb2c0d2809fc97df4469cd906c3f94a42cb5344df96c5e069602d"],
  [botCalls, "0322e6e6a3dc4b301e4da19546bd87159225ef3d43f8f8af2d6c07032727d1eb"],
  [reportDecisions, "403ef7beef50afd693e7d93c141915855790f3b9a57740ccf52ad639d99dc663"],
  [statistics, "36327bfc23beb6af819fa435255a0230baf035d2e422844ce9e262ed3467619e"],
  [levelNames, "1ad9abb8781e6f26c64bf8fbfba9beb089ea5aa8992980cbdd93d03c3579e770"],
  [picturesAndMatching, "c77eaff8932cd60beb19935d619e27a0e6f2dc7b6fea36ae9530274ab3991dc6"],
  [clientDevices, "6578380ad09a2bcd57d6a35fc94dadf5de6144a3f1483f4831e46964f7fae6e7"],
  [linkifiersBackwards, "44ba08dbd2b0348d92f14b791752b3b0de494c25599bcb073c423549dd4baf20"],
  [fileSizes, "02fc13f5d838ec292a8fd90886cc8396aa2652d7ecd912015505ca687315d5e1"],
  [webhookTemplates, "111348e5deb5e6f65074736f4d9e8a00dfc75e25ef83cbfcf1ee65672d57346a"],
  [sessionHandovers, "57fb0cc90d232e71328eac77a5a46664d1b1cfb8d3d2a8c9752bcb7908670433"],
];

export const migrations: readonly string[] = landed.map(([sql]) => sql);
