-- Apps of phones that people have signed in to.
CREATE TABLE client_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id)
) STRICT;
CREATE INDEX client_devices_by_user ON client_devices (user_id);
