-- `type` is R for custom, U for Unicode and X for extra emoji.
CREATE TABLE reactions (
  message_id INTEGER NOT NULL REFERENCES messages (id),
  user_id INTEGER NOT NULL REFERENCES users (id),
  type TEXT NOT NULL CHECK (type IN ('R', 'U', 'X')),
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  reacted_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, type, code, user_id)
) STRICT, WITHOUT ROWID;
