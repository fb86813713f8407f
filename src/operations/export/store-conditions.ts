// Which rows an export that administrators request may hold: conditions in SQL, on the tables of `gatherShown`.

export const ofConsenting = "IN (SELECT user_id FROM consenting)";
export const inChannelShown = "IN (SELECT channel_id FROM places)";
export const permissionShown = `scope <> 'channel' OR owner_id ${inChannelShown}`;
export const groupShown = `kind <> 'anonymous' OR user_groups.id IN (SELECT grants.group_id FROM grants WHERE ${permissionShown})`;
export const inGroupShown = `IN (SELECT user_groups.id FROM user_groups WHERE ${groupShown})`;

/** The same rule as `mayReadMessage`, for consenting subscribers. */
const hasReached =
  "SELECT 1 FROM subscriptions CROSS JOIN consenting USING (user_id) CROSS JOIN receipt_spans USING (user_id) " +
  "WHERE subscriptions.channel_id = places.channel_id AND is_subscribed AND (" +
  "(receipt_spans.conversation_id = messages.home_id AND messages.seq BETWEEN from_seq AND IFNULL(to_seq, messages.seq)) OR " +
  "(receipt_spans.conversation_id = messages.conversation_id AND messages.arrived_seq BETWEEN from_seq AND " +
  "IFNULL(to_seq, messages.arrived_seq)))";
export const messageShown =
  "EXISTS (SELECT 1 FROM places WHERE places.conversation_id = messages.conversation_id AND " +
  `(NOT is_protected OR EXISTS (${hasReached})))`;
export const ofMessageShown = `EXISTS (SELECT 1 FROM messages WHERE messages.id = message_id AND ${messageShown})`;
export const byMessage = { by: "message_id", table: "messages" } as const;

export const addressProof =
  "(SELECT kind FROM address_proofs WHERE user_id = users.id AND address_key = users.delivery_email_key) AS address_proof";
