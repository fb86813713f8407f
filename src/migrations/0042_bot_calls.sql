-- The last calls of tools to bots, and of this server to bots elsewhere, and what became of them. Kept for a day, some of each bot.
CREATE TABLE bot_calls (
  id INTEGER PRIMARY KEY,
  bot_id INTEGER NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  -- in: a tool called; out: the server did.
  direction TEXT NOT NULL,
  -- The sender and its event, or what concerned the bot.
  about TEXT NOT NULL,
  outcome TEXT NOT NULL,
  -- Why it was refused, or failed.
  reason TEXT,
  message_id INTEGER,
  is_test INTEGER NOT NULL
) STRICT;
CREATE INDEX bot_calls_by_bot ON bot_calls (bot_id, id);
