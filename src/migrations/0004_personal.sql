-- How visible a topic is to a user where they, or their settings, said so; absent means as its channel.
CREATE TABLE user_topics (
  user_id INTEGER NOT NULL REFERENCES users (id),
  channel_id INTEGER NOT NULL REFERENCES channels (id),
  topic_key TEXT NOT NULL,
  topic TEXT NOT NULL,
  policy INTEGER NOT NULL CHECK (policy IN (1, 2, 3)),
  last_updated INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id, topic_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_topics_by_topic ON user_topics (channel_id, topic_key, user_id, policy);

CREATE INDEX settings_by_name ON settings (scope, name);

-- Words of which a user wants to be told.
CREATE TABLE alert_words (
  user_id INTEGER NOT NULL REFERENCES users (id),
  word_key TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (user_id, word_key)
) STRICT, WITHOUT ROWID;
