-- Days are counted from 1970, in UTC. They stay as they were counted, also where messages are deleted later.
CREATE TABLE daily_messages (
  day INTEGER PRIMARY KEY,
  messages INTEGER NOT NULL,
  -- Of these, in direct conversations.
  direct_messages INTEGER NOT NULL,
  -- People and bots who sent them.
  senders INTEGER NOT NULL,
  -- Channels in which they were sent.
  channels INTEGER NOT NULL
) STRICT;

CREATE TABLE daily_activity (
  day INTEGER PRIMARY KEY,
  -- Who were active on that day.
  people INTEGER NOT NULL,
  -- Who were active on that day or one of the six before; null until it is counted.
  week_people INTEGER
) STRICT;

INSERT INTO daily_activity (day, people)
  SELECT day, COUNT(*) FROM user_activity WHERE day = (SELECT MAX(day) FROM user_activity) GROUP BY day;
