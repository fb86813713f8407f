-- Keys by which senders may repeat a send, each with what the first one answered. IDs of messages grow, so the oldest keys come first.
CREATE TABLE idempotency_keys (
  message_id INTEGER PRIMARY KEY,
  sender_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  -- Tells whether a repetition asks for the same message.
  digest BLOB NOT NULL,
  -- The sender's new visibility policy for the topic, which the answer names.
  policy INTEGER,
  -- In this order, keys that grow with time (UUIDs of version 7) enter at the end of the index, which costs a third of what random ones do.
  UNIQUE (key, sender_id)
) STRICT;
