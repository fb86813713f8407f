-- Links by which a person chooses a new password, once.
CREATE TABLE reset_links (
  hash BLOB PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reset_links_by_user ON reset_links (user_id);

-- Two-step sign-in. Of the recovery codes, the table holds the hashes of those that are left.
CREATE TABLE two_step (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  secret TEXT NOT NULL,
  -- Null until a first code has shown that the app knows the secret.
  confirmed_at INTEGER,
  -- The time step of the last code that was used: no code is good twice.
  last_step INTEGER NOT NULL DEFAULT 0,
  recovery_hashes TEXT NOT NULL DEFAULT '[]'
) STRICT;

-- Which account an identity of a provider for single sign-on belongs to.
CREATE TABLE external_identities (
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id),
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (provider, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX external_identities_by_user ON external_identities (user_id);
