-- What people have uploaded. The file lies beside the database under `file`; `path_id` is its address.
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES users (id),
  file TEXT NOT NULL UNIQUE,
  path_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  uploaded_at INTEGER NOT NULL,
  -- Of pictures that can be shown.
  width INTEGER,
  height INTEGER,
  is_animated INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX attachments_by_owner ON attachments (owner_id);

-- Messages that link to an uploaded file.
CREATE TABLE attachment_messages (
  attachment_id INTEGER NOT NULL REFERENCES attachments (id),
  message_id INTEGER NOT NULL REFERENCES messages (id),
  PRIMARY KEY (attachment_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_messages_by_message ON attachment_messages (message_id);

-- One row: the bytes of all attachments together.
CREATE TABLE upload_space (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  used INTEGER NOT NULL
) STRICT;
INSERT INTO upload_space (id, used) VALUES (1, 0);

-- Pictures of people, emoji and the organization that are in use: a file that is not here is swept away.
CREATE TABLE pictures (
  file TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
ALTER TABLE users ADD COLUMN avatar_file TEXT;
ALTER TABLE realm ADD COLUMN icon_file TEXT;
ALTER TABLE realm ADD COLUMN logo_file TEXT;
ALTER TABLE realm ADD COLUMN night_logo_file TEXT;

-- A name may have been used before, by emoji that are deactivated.
CREATE TABLE realm_emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  -- Moves, and has a form that does not.
  is_animated INTEGER NOT NULL DEFAULT 0,
  author_id INTEGER REFERENCES users (id),
  deactivated INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX realm_emoji_by_name ON realm_emoji (name) WHERE NOT deactivated;
