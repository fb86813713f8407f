// The sizes of the organization for the slowest requests, and the IDs that the requests use.

/** `people` and `channels` are the sizes up to which we promise that there are no stalls. */
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
  /** People of whom each has sent so many messages to one channel. */
  prolific: 15,
  perProlific: 1_000,
  /** Of each person. */
  stars: 5,
  /** So many different lists of stars do people have. */
  starLists: 200,
  /** Of so many messages does everybody want to be reminded. */
  wanted: 8,
};

/** The place of the first of those among the owner's messages. */
export const wanted = 100;

/** The place of the first of those who have sent many messages, and of their channel. */
export const prolific = { person: 8_700, lab: 50 };

/** The places of groups that open private channels: one, and so many. These are beyond the promised number of channels. */
export const opening = { one: 13, many: 14, channels: 250 };

const key = (name: string) => name.padEnd(32, "0");
export const keys = { owner: key("owner"), bot: key("bot"), first: key("first"), second: key("second") };
export const emails = {
  owner: "olive@example.com",
  bot: "storing-bot@example.com",
  first: "p1@example.com",
  second: "p2@example.com",
};

/** Person number `n`, from 1, as a client that listens. */
export const listener = (n: number) => ({ email: `p${n}@example.com`, key: key(`listener${n}`) });

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
  /** The address of a large picture that the owner has uploaded. */
  picture: string;
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

/** About `length` characters of words, some with non-ASCII letters; the order depends on the number. */
export function textOf(number: number, length: number): string {
  const parts: string[] = [];
  for (let size = 0, at = number; size < length; at++) {
    const word = `${words[(at * 7 + number) % words.length]}${at % 13 === 0 ? at : ""}`;
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(" ").slice(0, length);
}
