-- How the bots of incoming webhooks word the events of tools that the server does not know.
CREATE TABLE webhook_templates (
  bot_id INTEGER PRIMARY KEY REFERENCES users (id),
  topic TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;

-- What such tools posted last, so that the bot's owner can try a template on it. Kept for a day, some of each bot.
CREATE TABLE webhook_payloads (
  id INTEGER PRIMARY KEY,
  bot_id INTEGER NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  -- The name in the address that it was posted to.
  sender TEXT NOT NULL,
  -- In characters.
  size INTEGER NOT NULL,
  -- JSON; NULL if it was too large to keep.
  payload TEXT
) STRICT;
CREATE INDEX webhook_payloads_by_bot ON webhook_payloads (bot_id, id);
