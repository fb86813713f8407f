-- Moves and deletions of large topics that have begun and not ended. They take several transactions, and go on after a crash.
CREATE TABLE topic_work (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('move', 'deletion')),
  user_id INTEGER NOT NULL REFERENCES users (id),
  client TEXT NOT NULL,
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  topic TEXT NOT NULL,
  -- Of a deletion, the same topic again.
  to_conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  to_topic TEXT NOT NULL,
  -- Whether the user could read all messages of the topic when it began.
  reads_all INTEGER NOT NULL,
  -- The message that was done last. A move goes on with higher IDs, a deletion with lower ones.
  last_id INTEGER NOT NULL
) STRICT;

-- What else the rest of a move needs.
CREATE TABLE topic_moves (
  work_id INTEGER PRIMARY KEY REFERENCES topic_work (id),
  -- The message given in the request.
  target_id INTEGER NOT NULL,
  propagate_mode TEXT NOT NULL,
  -- Whether the new topic had messages.
  merges INTEGER NOT NULL,
  moved INTEGER NOT NULL,
  first_id INTEGER,
  notifies_old INTEGER NOT NULL,
  notifies_new INTEGER NOT NULL
) STRICT;
