-- Who writes directly with whom.
CREATE INDEX direct_participants_by_conversation ON direct_participants (conversation_id, user_id);

-- What a bot's clients start from where they say nothing else; a bot without a row has chosen nothing.
CREATE TABLE bot_defaults (
  bot_id INTEGER PRIMARY KEY REFERENCES users (id),
  sending_channel_id INTEGER REFERENCES channels (id),
  events_channel_id INTEGER REFERENCES channels (id),
  all_public_channels INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Where messages to a bot are posted. The token tells the receiver that it is this server which asks.
CREATE TABLE bot_services (
  bot_id INTEGER PRIMARY KEY REFERENCES users (id),
  base_url TEXT NOT NULL,
  interface INTEGER NOT NULL CHECK (interface IN (1, 2)),
  token TEXT NOT NULL
) STRICT;

CREATE TABLE bot_storage (
  bot_id INTEGER NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (bot_id, key)
) STRICT, WITHOUT ROWID;

-- What people tell of themselves beyond their name. `field_data` is JSON: the options of a list, the kind of an account.
CREATE TABLE profile_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  position INTEGER NOT NULL,
  type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 8),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  field_data TEXT NOT NULL,
  display_in_profile_summary INTEGER NOT NULL,
  required INTEGER NOT NULL,
  editable_by_user INTEGER NOT NULL
) STRICT;

CREATE TABLE profile_values (
  user_id INTEGER NOT NULL REFERENCES users (id),
  field_id INTEGER NOT NULL REFERENCES profile_fields (id),
  value TEXT NOT NULL,
  rendered TEXT,
  PRIMARY KEY (user_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_values_by_field ON profile_values (field_id);

-- Messages that are still to be posted to outgoing webhooks.
CREATE TABLE webhook_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bot_id INTEGER NOT NULL REFERENCES users (id),
  -- The message may go while the call waits, hence no reference.
  message_id INTEGER NOT NULL,
  trigger TEXT NOT NULL CHECK (trigger IN ('mention', 'direct_message')),
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_calls_by_bot ON webhook_calls (bot_id, due_at);
