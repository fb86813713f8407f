CREATE TABLE channel_folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  rendered_description TEXT NOT NULL,
  position INTEGER NOT NULL,
  date_created INTEGER NOT NULL,
  creator_id INTEGER REFERENCES users (id),
  is_archived INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Channels to which new people are subscribed.
CREATE TABLE default_channels (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id)
) STRICT;

CREATE TABLE default_channel_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL
) STRICT;

CREATE TABLE default_channel_group_channels (
  group_id INTEGER NOT NULL REFERENCES default_channel_groups (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  PRIMARY KEY (group_id, channel_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX default_channel_group_channels_by_channel ON default_channel_group_channels (channel_id);

-- The last day (since 1970, UTC) on which a person is known to have been here.
CREATE TABLE user_activity (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  day INTEGER NOT NULL
) STRICT;
CREATE INDEX user_activity_by_day ON user_activity (day);
