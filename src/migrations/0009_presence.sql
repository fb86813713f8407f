-- When a user was last active and last connected; 0 is never. Kept in memory and written down every so often, so what is
-- here may be behind.
CREATE TABLE presence (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  active_at INTEGER NOT NULL,
  connected_at INTEGER NOT NULL,
  update_id INTEGER NOT NULL
) STRICT;

-- An emoji is there whole or not at all: all three are empty then.
CREATE TABLE user_status (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  status_text TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL
) STRICT;
