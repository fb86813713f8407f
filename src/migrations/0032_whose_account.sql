-- Which account an identity belongs to. It is one of the issuer, whatever confab.toml calls the provider. Of those linked before, the
-- issuer is null until the first server with this table starts: it takes the one that confab.toml then names.
CREATE TABLE identities_of_issuers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issuer TEXT,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject <> ''),
  user_id INTEGER NOT NULL REFERENCES users (id),
  linked_at INTEGER NOT NULL
) STRICT;
INSERT INTO identities_of_issuers (provider, subject, user_id, linked_at)
SELECT provider, subject, user_id, linked_at FROM external_identities WHERE trim(subject) <> '' ORDER BY provider, subject;
DROP TABLE external_identities;
ALTER TABLE identities_of_issuers RENAME TO external_identities;
CREATE UNIQUE INDEX external_identities_by_subject ON external_identities (issuer, subject);
CREATE INDEX external_identities_by_user ON external_identities (user_id);
CREATE INDEX external_identities_unbound ON external_identities (provider) WHERE issuer IS NULL;

-- Changes of people's own addresses that wait until a link, mailed to the new address, is followed. One a person; the table holds
-- the hash of the link's key.
CREATE TABLE address_changes (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  hash BLOB NOT NULL UNIQUE,
  address TEXT NOT NULL,
  -- Whether the change was asked for with an API key alone, so that whoever follows the link must also sign in.
  needs_sign_in INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
