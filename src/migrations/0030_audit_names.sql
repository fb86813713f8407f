-- What an entry is about stays readable when it is gone, and whose it was.
ALTER TABLE audit_log ADD COLUMN about_name TEXT;
ALTER TABLE audit_log ADD COLUMN person_id INTEGER REFERENCES users (id);
CREATE INDEX audit_log_by_person ON audit_log (person_id);
CREATE INDEX audit_log_by_time ON audit_log (at);

UPDATE audit_log SET about_name = CASE about
  WHEN 'user' THEN (SELECT full_name FROM users WHERE id = about_id)
  WHEN 'bot' THEN (SELECT full_name FROM users WHERE id = about_id)
  WHEN 'group' THEN (SELECT name FROM user_groups WHERE id = about_id)
  WHEN 'channel' THEN (SELECT name FROM channels WHERE id = about_id)
  WHEN 'folder' THEN (SELECT name FROM channel_folders WHERE id = about_id)
  WHEN 'invitation' THEN (SELECT email FROM invitations WHERE id = about_id)
  WHEN 'linkifier' THEN (SELECT pattern FROM linkifiers WHERE id = about_id)
  WHEN 'playground' THEN (SELECT name FROM playgrounds WHERE id = about_id)
  WHEN 'emoji' THEN (SELECT name FROM realm_emoji WHERE id = about_id)
  WHEN 'profile_field' THEN (SELECT name FROM profile_fields WHERE id = about_id)
  WHEN 'domain' THEN (SELECT domain FROM realm_domains WHERE id = about_id)
  WHEN 'default_channel_group' THEN (SELECT name FROM default_channel_groups WHERE id = about_id)
END WHERE about_id IS NOT NULL;

-- Of things that are gone, the entry itself may have the name.
UPDATE audit_log SET about_name =
  COALESCE(data ->> 'name', data ->> 'pattern', data ->> 'domain', data ->> 'email', data ->> 'full_name')
WHERE about_name IS NULL AND about_id IS NOT NULL;

UPDATE audit_log SET person_id = (SELECT reported_id FROM reports WHERE id = about_id) WHERE about = 'report';

-- How many messages a deletion has removed, and whether others wrote any of them.
ALTER TABLE topic_work ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE topic_work ADD COLUMN concerns_others INTEGER NOT NULL DEFAULT 0;
