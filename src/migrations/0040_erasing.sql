-- When a person was erased: the row stays, so that their messages have a sender.
ALTER TABLE users ADD COLUMN erased_at INTEGER;

-- Accounts whose messages are being deleted, or whose people are being erased, in several transactions.
CREATE TABLE account_work (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  actor_id INTEGER NOT NULL REFERENCES users (id),
  client TEXT NOT NULL,
  -- Which messages are deleted: the sum of 1 for public channels, 2 for private ones, 4 for direct messages.
  messages INTEGER NOT NULL,
  reactions INTEGER NOT NULL,
  -- The names and addresses that are looked for elsewhere; null if the person is not erased. Goes with the row.
  traces TEXT,
  stage TEXT NOT NULL,
  -- What was done last in this stage.
  last_id INTEGER NOT NULL,
  deleted_messages INTEGER NOT NULL DEFAULT 0,
  deleted_reactions INTEGER NOT NULL DEFAULT 0,
  deleted_files INTEGER NOT NULL DEFAULT 0,
  fault TEXT,
  fault_since INTEGER
) STRICT;
