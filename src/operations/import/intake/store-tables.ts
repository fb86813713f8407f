// The tables of a spool, and the statements that sort its messages.
export const tables = `
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE people (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, id INTEGER);
CREATE TABLE channels (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, id INTEGER, name TEXT);
CREATE TABLE groups (n INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE emoji (name TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE files (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, bytes INTEGER NOT NULL, file TEXT);
CREATE TABLE messages (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, at REAL NOT NULL, data TEXT NOT NULL);
CREATE TABLE reactions (n INTEGER PRIMARY KEY, message TEXT NOT NULL, person TEXT NOT NULL, emoji TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE stars (message TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (message, person)) WITHOUT ROWID;
CREATE TABLE lost (what TEXT PRIMARY KEY, count INTEGER NOT NULL);
`;

export const order = `
CREATE TABLE ranks (rank INTEGER PRIMARY KEY, n INTEGER NOT NULL UNIQUE);
INSERT INTO ranks (n) SELECT n FROM messages ORDER BY at, n;
CREATE INDEX reactions_by_message ON reactions (message);
`;
