/** Why a person gets a mail about a message. */
export const reasons = {
  direct: "{name} sent you a direct message",
  mention: "{name} mentioned you",
  alertWord: "{name} used one of your alert words",
  followed: "{name} wrote in a topic that you follow",
  channel: "{name} wrote in a channel whose messages you get by mail",
} as const;
export type Reason = keyof typeof reasons;

export const missed = {
  everySeconds: 2,
  /** How many new messages are processed in one run. */
  messagesAtOnce: 500,
  /** How many people one transaction notes for a message. */
  peopleAtOnce: 500,
  /** How many people get their mails in one run. */
  batchesAtOnce: 50,
  /** How many messages of a conversation one mail quotes. */
  maxQuoted: 20,
  /** How many messages are kept for a person; further ones are only counted. */
  maxKept: 1000,
} as const;
