// How much the organization of the worst requests has, and what of it the requests name.

/** `people` and `channels` are those for which the law is promised. */
export const sizes = {
  people: 10_000,
  channels: 1_000,
  groups: 1_000,
  longMessages: 600,
  ownMessages: 2_000,
  shortMessages: 6_000,
  topics: 2_000,
  movable: 8,
  perTopic: 1_200,
};

const key = (name: string) => name.padEnd(32, "0");
export const keys = { owner: key("owner"), bot: key("bot"), first: key("first"), second: key("second") };
export const emails = {
  owner: "olive@example.com",
  bot: "storing-bot@example.com",
  first: "p1@example.com",
  second: "p2@example.com",
};

export interface Filled {
  owner: number;
  bot: number;
  /** Consecutive IDs. */
  people: number[];
  everyone: number;
  labs: number[];
  /** Channels with a topic "moving" of many messages. */
  moving: number[];
  messages: { long: number[]; own: number[]; short: number[] };
  groups: number[];
}

const words = [
  "harbour",
  "über",
  "release",
  "Zürich",
  "window",
  "crane",
  "lantern",
  "quiet",
  "backup",
  "naïve",
];

/** Words in an order of its own for each number, some of them not in ASCII, in about so many characters. */
export function textOf(number: number, length: number): string {
  const parts: string[] = [];
  for (let size = 0, at = number; size < length; at++) {
    const word = `${words[(at * 7 + number) % words.length]}${at % 13 === 0 ? at : ""}`;
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(" ").slice(0, length);
}
