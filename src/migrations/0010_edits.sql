-- What was done to a message, `nth` by `nth`: what it was before, and where it went. What a change left alone is null.
CREATE TABLE message_edits (
  message_id INTEGER NOT NULL REFERENCES messages (id),
  nth INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id),
  edited_at INTEGER NOT NULL,
  prev_content TEXT,
  prev_rendered TEXT,
  prev_topic TEXT,
  topic TEXT,
  prev_channel_id INTEGER REFERENCES channels (id),
  channel_id INTEGER REFERENCES channels (id),
  PRIMARY KEY (message_id, nth)
) STRICT, WITHOUT ROWID;

-- The place that a moved message took among the seqs of where it is now: who had an open span there then may read it.
ALTER TABLE messages ADD COLUMN arrived_seq INTEGER;
