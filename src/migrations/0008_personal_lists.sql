-- `recipients` is a JSON list: one channel's ID for `stream`, people's IDs for `private`.
CREATE TABLE drafts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  type TEXT NOT NULL CHECK (type IN ('', 'stream', 'private')),
  recipients TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  edited_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_user ON drafts (user_id, edited_at);

CREATE TABLE saved_snippets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  date_created INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);

-- `name` is null for views that clients have by themselves.
CREATE TABLE navigation_views (
  user_id INTEGER NOT NULL REFERENCES users (id),
  fragment TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  name TEXT,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, fragment)
) STRICT, WITHOUT ROWID;

-- Steps of the introduction that a user has seen.
CREATE TABLE onboarding_steps (
  user_id INTEGER NOT NULL REFERENCES users (id),
  step TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, step)
) STRICT, WITHOUT ROWID;

-- `recipients` as in drafts. `read_by_sender` is null where the client's name decides.
CREATE TABLE scheduled_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sender_id INTEGER NOT NULL REFERENCES users (id),
  type TEXT NOT NULL CHECK (type IN ('stream', 'private')),
  recipients TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered TEXT NOT NULL,
  deliver_at INTEGER NOT NULL,
  failed INTEGER NOT NULL DEFAULT 0,
  client TEXT NOT NULL,
  read_by_sender INTEGER
) STRICT;
CREATE INDEX scheduled_messages_by_sender ON scheduled_messages (sender_id, deliver_at);
CREATE INDEX scheduled_messages_due ON scheduled_messages (deliver_at) WHERE failed = 0;

-- The message may be gone by the time its reader is reminded of it.
CREATE TABLE reminders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  message_id INTEGER NOT NULL,
  note TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered TEXT NOT NULL,
  deliver_at INTEGER NOT NULL,
  failed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX reminders_by_user ON reminders (user_id, deliver_at);
CREATE INDEX reminders_by_message ON reminders (message_id);
CREATE INDEX reminders_due ON reminders (deliver_at) WHERE failed = 0;
