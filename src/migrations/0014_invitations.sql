-- What waits to be sent by mail; a row is gone once it was sent, given up or is no longer wanted.
CREATE TABLE mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  -- Who is told where it cannot be delivered.
  sender_id INTEGER NOT NULL REFERENCES users (id),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  -- From when on it is of no use to anyone.
  expires_at INTEGER
) STRICT;
CREATE INDEX mails_by_due ON mails (due_at);

-- Links that anyone may use, and invitations of one address; each kind is numbered by itself.
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('link', 'address')),
  number INTEGER NOT NULL,
  key_hash BLOB NOT NULL UNIQUE,
  -- Forgotten when the invitation ends.
  key TEXT,
  inviter_id INTEGER NOT NULL REFERENCES users (id),
  role INTEGER NOT NULL,
  email TEXT,
  email_key TEXT,
  channel_ids TEXT NOT NULL,
  group_ids TEXT NOT NULL,
  with_defaults INTEGER NOT NULL,
  -- Null is the organization's.
  welcome_text TEXT,
  notify_inviter INTEGER NOT NULL,
  invited_at INTEGER NOT NULL,
  valid_minutes INTEGER,
  expires_at INTEGER,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'revoked', 'used')),
  mail_id INTEGER,
  UNIQUE (kind, number)
) STRICT;
CREATE INDEX invitations_open ON invitations (state, inviter_id);
CREATE INDEX invitations_by_address ON invitations (email_key) WHERE email_key IS NOT NULL;

-- When invitations went out to addresses, for the limit of a day.
CREATE TABLE invitation_sendings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invitation_id INTEGER NOT NULL REFERENCES invitations (id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitation_sendings_by_time ON invitation_sendings (at);
