-- Notifications leave in turns of push services and of people.
ALTER TABLE push_subscriptions ADD COLUMN host TEXT NOT NULL DEFAULT '';
UPDATE push_subscriptions SET host = substr(endpoint, instr(endpoint, '//') + 2);
UPDATE push_subscriptions SET host = substr(host, 1, instr(host, '/') - 1) WHERE instr(host, '/') > 0;
ALTER TABLE pushes ADD COLUMN user_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pushes ADD COLUMN host TEXT NOT NULL DEFAULT '';
UPDATE pushes SET
  user_id = COALESCE((SELECT user_id FROM push_subscriptions WHERE id = subscription_id), 0),
  host = COALESCE((SELECT host FROM push_subscriptions WHERE id = subscription_id), '');
CREATE INDEX pushes_by_turn ON pushes (host, user_id, due_at);

-- Mails leave in turns of those who caused them.
CREATE INDEX mails_by_sender ON mails (sender_id, due_at);
