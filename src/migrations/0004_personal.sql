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

-- Messages of `muted_user_id` from `from_id` to `to_id` came to `user_id` as read. The span of somebody who is muted has
-- no end; what a span says moves into read marks by and by, and the span gets shorter from its beginning.
CREATE TABLE mute_spans (
  user_id INTEGER NOT NULL REFERENCES users (id),
  muted_user_id INTEGER NOT NULL REFERENCES users (id),
  from_id INTEGER NOT NULL,
  to_id INTEGER,
  muted_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, muted_user_id, from_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mute_spans_by_muted ON mute_spans (muted_user_id);
