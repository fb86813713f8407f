-- With what senders of webhooks sign; the secret itself, since signatures are made from it.
CREATE TABLE webhook_secrets (
  bot_id INTEGER PRIMARY KEY REFERENCES users (id),
  secret TEXT NOT NULL
) STRICT;

-- Senders give a key without an address.
CREATE INDEX api_keys_by_hash ON api_keys (hash);
