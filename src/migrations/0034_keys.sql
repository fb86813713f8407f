-- The device or app that a login handed the key to.
ALTER TABLE api_keys ADD COLUMN device TEXT NOT NULL DEFAULT '';

-- When keys were last used, to within an hour. A table of its own: what is kept in memory depends on api_keys.
CREATE TABLE key_uses (
  key_id INTEGER PRIMARY KEY,
  last_used_at INTEGER NOT NULL
) STRICT;

-- The key that made the subscription; null if a session did, or if it was not noted yet.
ALTER TABLE push_subscriptions ADD COLUMN key_id INTEGER;

-- When the person last showed who they are, at first by signing in.
ALTER TABLE sessions ADD COLUMN proved_at INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET proved_at = created_at;

-- Codes that were mailed to people who have no password to show who they are.
CREATE TABLE proof_codes (
  session_id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
