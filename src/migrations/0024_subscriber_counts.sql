-- How many active subscribers each channel has: counting them anew after each change takes too long in a large organization.
-- The triggers keep the numbers whoever writes: a server, a command beside it, or a node that repeats the log.
CREATE TABLE subscriber_counts (
  channel_id INTEGER PRIMARY KEY REFERENCES channels (id),
  active INTEGER NOT NULL
) STRICT;

INSERT INTO subscriber_counts (channel_id, active)
SELECT id, (
  SELECT COUNT(*) FROM subscriptions JOIN users ON users.id = user_id
  WHERE channel_id = channels.id AND is_subscribed AND is_active
) FROM channels;

CREATE TRIGGER subscriber_counts_of_new_channel AFTER INSERT ON channels BEGIN
  INSERT INTO subscriber_counts (channel_id, active) VALUES (new.id, 0);
END;

CREATE TRIGGER subscriber_counts_after_insert AFTER INSERT ON subscriptions WHEN new.is_subscribed BEGIN
  UPDATE subscriber_counts SET active = active + 1
  WHERE channel_id = new.channel_id AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id AND is_active);
END;

CREATE TRIGGER subscriber_counts_after_change AFTER UPDATE OF is_subscribed ON subscriptions
WHEN old.is_subscribed <> new.is_subscribed BEGIN
  UPDATE subscriber_counts SET active = active + new.is_subscribed - old.is_subscribed
  WHERE channel_id = new.channel_id AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id AND is_active);
END;

CREATE TRIGGER subscriber_counts_after_delete AFTER DELETE ON subscriptions WHEN old.is_subscribed BEGIN
  UPDATE subscriber_counts SET active = active - 1
  WHERE channel_id = old.channel_id AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id AND is_active);
END;

CREATE TRIGGER subscriber_counts_after_activation AFTER UPDATE OF is_active ON users WHEN old.is_active <> new.is_active BEGIN
  UPDATE subscriber_counts SET active = active + new.is_active - old.is_active
  WHERE channel_id IN (SELECT channel_id FROM subscriptions WHERE user_id = new.id AND is_subscribed = 1);
END;
