-- Until when a shorter retention waits, and for how many days messages are kept until then (-1 for ever). 0 stands for the organization.
CREATE TABLE retention_holds (
  channel_id INTEGER PRIMARY KEY,
  days INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
