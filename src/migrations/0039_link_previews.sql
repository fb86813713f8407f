-- What was found at the addresses that messages link to. The oldest are deleted, and looked for again when they are needed.
CREATE TABLE link_previews (
  address TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('nothing', 'page', 'picture')),
  found_at INTEGER NOT NULL,
  title TEXT,
  description TEXT,
  picture_address TEXT,
  file TEXT UNIQUE,
  bytes INTEGER NOT NULL,
  width INTEGER,
  height INTEGER
) STRICT;
CREATE INDEX link_previews_by_age ON link_previews (found_at, address);

-- Addresses at which nobody has looked yet.
CREATE TABLE link_looks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The message may go while the address waits, hence no reference.
  message_id INTEGER NOT NULL,
  sender_id INTEGER NOT NULL,
  host TEXT NOT NULL,
  address TEXT NOT NULL,
  site TEXT
) STRICT;
CREATE INDEX link_looks_by_host ON link_looks (host, sender_id, id);
CREATE INDEX link_looks_by_sender ON link_looks (sender_id);
CREATE INDEX link_looks_by_message ON link_looks (message_id);

-- The setting had no effect, and its owner was not told that linked sites would see the server's address.
DELETE FROM settings WHERE scope = 'realm' AND owner_id = 0 AND name = 'inline_url_embed_preview';
