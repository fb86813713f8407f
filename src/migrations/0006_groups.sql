ALTER TABLE realm ADD COLUMN deactivated_at INTEGER;

-- Where people's addresses may lie while emails_restricted_to_domains is on.
CREATE TABLE realm_domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL UNIQUE,
  allow_subdomains INTEGER NOT NULL
) STRICT;
