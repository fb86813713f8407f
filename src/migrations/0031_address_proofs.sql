-- How it was proved that a person has the address of their account. Holds for that address alone: once the account has another, the
-- row proves nothing. Accounts without a row have not proved theirs.
CREATE TABLE address_proofs (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  address_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('mail', 'invitation', 'provider', 'operator', 'import')),
  proved_at INTEGER NOT NULL
) STRICT;

-- Of existing accounts it is known only where the address is still that of the beginning: people changed theirs without a record.
-- The first owner is made at the machine.
INSERT INTO address_proofs (user_id, address_key, kind, proved_at)
SELECT u.id, u.delivery_email_key, 'operator', a.at
FROM users u JOIN audit_log a ON a.about = 'user' AND a.about_id = u.id AND a.event = 'user_created'
WHERE u.id = (SELECT MIN(id) FROM users) AND u.is_bot = 0 AND a.actor_id IS NULL
  AND a.at = (SELECT date_created FROM realm) AND lower(json_extract(a.data, '$.email')) = u.delivery_email_key;

-- A provider had verified the address when its sign-in made the account.
INSERT OR IGNORE INTO address_proofs (user_id, address_key, kind, proved_at)
SELECT u.id, u.delivery_email_key, 'provider', a.at
FROM external_identities i
JOIN users u ON u.id = i.user_id
JOIN audit_log a ON a.about = 'user' AND a.about_id = u.id AND a.event = 'user_created' AND a.at = i.linked_at
WHERE lower(json_extract(a.data, '$.email')) = u.delivery_email_key;

-- Whether only a mail has shown the key of an invitation, so that whoever has it reads mail at that address. Unknown for old ones.
ALTER TABLE invitations ADD COLUMN is_mailed INTEGER NOT NULL DEFAULT 0;

-- The address, in small letters, to which a link for a new password was mailed; null if somebody hands it over.
ALTER TABLE reset_links ADD COLUMN mailed_to TEXT;
