-- One row: what an organization is before it has settings.
CREATE TABLE realm (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  string_id TEXT NOT NULL,
  date_created INTEGER NOT NULL,
  avatar_salt TEXT NOT NULL
) STRICT;

CREATE TABLE settings (
  scope TEXT NOT NULL,
  owner_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (scope, owner_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What clients are told: the person's own address, or one made up where not everyone may see that.
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  delivery_email TEXT NOT NULL,
  delivery_email_key TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  full_name_key TEXT NOT NULL,
  role INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_bot INTEGER NOT NULL DEFAULT 0,
  bot_type INTEGER,
  bot_owner_id INTEGER REFERENCES users (id),
  timezone TEXT NOT NULL DEFAULT '',
  avatar_version INTEGER NOT NULL DEFAULT 1,
  date_joined INTEGER NOT NULL,
  password_hash TEXT,
  -- What the organization says itself is said by bots of its own, which nobody logs in as or changes.
  system_bot TEXT UNIQUE
) STRICT;
CREATE INDEX users_by_full_name ON users (full_name_key);
CREATE INDEX users_by_role ON users (role);
CREATE INDEX users_by_bot_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

-- SHA-256 of keys; `login` keys are those handed out for a password, one a login.
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  hash BLOB NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('main', 'login')),
  date_created INTEGER NOT NULL
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_id);

-- `anonymous` groups are the values of permission settings that name users and groups directly.
CREATE TABLE user_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('system', 'named', 'anonymous')),
  name TEXT NOT NULL,
  name_key TEXT UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  creator_id INTEGER REFERENCES users (id),
  date_created INTEGER,
  deactivated INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Members of system groups are not here: they follow from users.role.
CREATE TABLE group_members (
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  PRIMARY KEY (group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_members_by_user ON group_members (user_id);

CREATE TABLE group_subgroups (
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  subgroup_id INTEGER NOT NULL REFERENCES user_groups (id),
  PRIMARY KEY (group_id, subgroup_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_subgroups_by_subgroup ON group_subgroups (subgroup_id);

-- Values of permission settings that differ from their default.
CREATE TABLE grants (
  scope TEXT NOT NULL,
  owner_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  group_id INTEGER NOT NULL REFERENCES user_groups (id),
  PRIMARY KEY (scope, owner_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_group ON grants (group_id);

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  rendered_description TEXT NOT NULL,
  date_created INTEGER NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  invite_only INTEGER NOT NULL DEFAULT 0,
  is_web_public INTEGER NOT NULL DEFAULT 0,
  history_public_to_subscribers INTEGER NOT NULL DEFAULT 1,
  is_archived INTEGER NOT NULL DEFAULT 0,
  message_retention_days INTEGER,
  folder_id INTEGER,
  topics_policy TEXT NOT NULL DEFAULT 'inherit',
  is_recently_active INTEGER NOT NULL DEFAULT 1,
  stream_weekly_traffic INTEGER
) STRICT;

-- A row stays when its user leaves, so that coming back restores colour and notifications.
CREATE TABLE subscriptions (
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  is_subscribed INTEGER NOT NULL,
  color TEXT NOT NULL,
  is_muted INTEGER NOT NULL DEFAULT 0,
  pin_to_top INTEGER NOT NULL DEFAULT 0,
  desktop_notifications INTEGER,
  audible_notifications INTEGER,
  push_notifications INTEGER,
  email_notifications INTEGER,
  wildcard_mentions_notify INTEGER,
  PRIMARY KEY (channel_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_by_user ON subscriptions (user_id, is_subscribed);

-- A channel has one conversation, and so has each set of people who write to each other directly.
CREATE TABLE conversations (
  id INTEGER PRIMARY KEY,
  channel_id INTEGER UNIQUE REFERENCES channels (id),
  participants TEXT UNIQUE,
  CHECK ((channel_id IS NULL) <> (participants IS NULL))
) STRICT;

-- Apart from its conversation, which then never changes and can be remembered.
CREATE TABLE sequences (
  conversation_id INTEGER PRIMARY KEY REFERENCES conversations (id),
  last_seq INTEGER NOT NULL
) STRICT;

CREATE TABLE direct_participants (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  PRIMARY KEY (user_id, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE clients (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- `conversation_id` and `topic` say where a message is shown; `home_id` and `seq`, which never change, where it is
-- counted for receipts and read marks.
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  home_id INTEGER NOT NULL REFERENCES conversations (id),
  seq INTEGER NOT NULL,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  client_id INTEGER NOT NULL REFERENCES clients (id),
  sent_at INTEGER NOT NULL,
  bits INTEGER NOT NULL,
  topic TEXT NOT NULL,
  topic_key TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX messages_by_home ON messages (home_id, seq);
CREATE INDEX messages_by_conversation ON messages (conversation_id);
CREATE INDEX messages_by_topic ON messages (conversation_id, topic_key);
CREATE INDEX messages_by_sender ON messages (sender_id);
-- Both rare: messages that lie elsewhere than they were sent, and those that mention a whole channel.
CREATE INDEX messages_moved ON messages (conversation_id) WHERE conversation_id <> home_id;
CREATE INDEX messages_with_channel_wildcard ON messages (id) WHERE bits & 1;

-- The tokens of each message, as `src/search/tokens.ts` makes them; only which messages have a token, not where in them.
CREATE VIRTUAL TABLE message_index USING fts5 (
  tokens, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_~'"
);

-- Merging segments is most of what indexing costs. Searches cost somewhat more for it, and stay within their budget.
INSERT INTO message_index (message_index, rank) VALUES ('automerge', 16);

-- Messages that the index does not know yet as they now are: new, changed or deleted.
CREATE TABLE unindexed_messages (
  message_id INTEGER PRIMARY KEY
) STRICT;

-- A user received a message if a span of theirs covers its seq.
CREATE TABLE receipt_spans (
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  from_seq INTEGER NOT NULL,
  to_seq INTEGER,
  PRIMARY KEY (user_id, conversation_id, from_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_spans_by_conversation ON receipt_spans (conversation_id, user_id);
CREATE INDEX receipt_spans_ended ON receipt_spans (conversation_id, to_seq) WHERE to_seq IS NOT NULL;

-- Everything up to `upto_seq` is read; bit n of `bits` is set where seq upto_seq + 1 + n is read too.
CREATE TABLE read_marks (
  user_id INTEGER NOT NULL REFERENCES users (id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  upto_seq INTEGER NOT NULL,
  bits BLOB,
  PRIMARY KEY (user_id, conversation_id)
) STRICT, WITHOUT ROWID;

-- Only what is rare: starred, collapsed, mentioned, topic wildcard, alert word, historical.
CREATE TABLE message_flags (
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  bits INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_flags_by_message ON message_flags (message_id);

-- Events that a process without queues leaves for the server.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event TEXT NOT NULL,
  audience TEXT NOT NULL,
  payload TEXT NOT NULL
) STRICT;
