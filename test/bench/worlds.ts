// The organizations the bench fills: how many people, channels and messages.
import type { Account } from "./requests.ts";

/** In a quiet channel, the word "backup" is in one of a thousand messages, not of four. */
export type Channel = { name: string; subscribers: number; isQuiet?: boolean };
/** `special` channels come first and have the first users. The others take users in turn; the last two are in all. */
export type World = { users: number; channels: Channel[]; special: number; messages: number };
export type Filled = { accounts: Account[]; channels: Record<string, number>; lastMessageId: number };

/** Fifty people in a channel, and others who write to it, too: as many as send at a time in the rows of sends. */
export const team: World = {
  users: 64,
  channels: [{ name: "fifty", subscribers: 50 }],
  special: 1,
  messages: 0,
};

export function large(users: number, channels: number): World {
  const special: Channel[] = [
    { name: "everyone", subscribers: users },
    { name: "fifty", subscribers: 50 },
    { name: "ten", subscribers: 10 },
  ];
  return {
    users,
    channels: [...special, ...ordinary(channels - special.length, 50)],
    special: special.length,
    messages: 0,
  };
}

/** A large organization with a long history; its last two users are in every ordinary channel. */
export function huge(users: number, channels: number, messages: number): World {
  const special: Channel[] = [
    { name: "everyone", subscribers: users },
    { name: "fifty", subscribers: 50 },
  ];
  const others = ordinary(channels - special.length, Math.min(100, users));
  return { users, channels: [...special, ...others], special: special.length, messages };
}

/** Fifty people in one channel with a history. */
export function oneChannel(messages: number): World {
  return { users: 50, channels: [{ name: "history", subscribers: 50 }], special: 1, messages };
}

/** Fifty channels with everyone in them, except for the last user, who is only in the first three. */
export function archive(messages: number): World {
  const users = 50;
  const special = Array.from({ length: 3 }, (_, i) => {
    return { name: `special ${i}`, subscribers: users, isQuiet: i === 2 };
  });
  const others = Array.from({ length: 47 }, (_, i) => ({ name: `ordinary ${i}`, subscribers: users - 1 }));
  return { users, channels: [...special, ...others], special: 50, messages };
}

export function emailOf(i: number): string {
  return `bench${i}@example.com`;
}

export function apiKeyOf(i: number): string {
  return `bench${String(i).padStart(27, "0")}`;
}

function ordinary(count: number, subscribers: number): Channel[] {
  return Array.from({ length: count }, (_, i) => ({ name: `ordinary ${i}`, subscribers }));
}
