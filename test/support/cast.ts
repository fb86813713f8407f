// The people of every test, and the database they live in: seeded once, copied for each world.

import { Database } from "bun:sqlite";
import { type App, openOn } from "@/app.ts";
import { createUser, deactivateUser } from "@/foundation/accounts/actions.ts";
import type { UserWithKey } from "@/foundation/accounts/actions-adding.ts";
import { type RoleName, roles } from "@/foundation/permissions/schema.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { testClock } from "./clock.ts";

/** The initial of a name shows the role; bolt is mel's bot, dex is a deactivated member. */
const people = {
  olive: "owner",
  ada: "admin",
  moss: "moderator",
  mel: "member",
  max: "member",
  gus: "guest",
  dex: "member",
} as const satisfies Record<string, RoleName>;

export type CastName = keyof typeof people | "bolt";

export interface CastMember {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly key: string;
}

export const site = "https://chat.example.com";

export type Cast = Readonly<Record<CastName, CastMember>>;

export interface Seed {
  readonly bytes: Uint8Array;
  readonly cast: Cast;
}

/** Creates everyone as the operator would; kept as the bytes of a database. */
export async function seed(): Promise<Seed> {
  const sqlite = openMemory();
  const app = openOn(sqlite, { hosting: true, clock: testClock(), site });
  const olive = await createRealm(app.system, {
    name: "Test Organization",
    owner_email: "olive@example.com",
    owner_name: "Olive",
    avatar_salt: "salt",
  });
  const found = new Map<string, UserWithKey>([["olive", olive]]);
  const owner = as(app, olive.user.user_id);
  for (const [name, role] of Object.entries(people)) {
    if (name !== "olive") found.set(name, await createUser(owner, { ...personOf(name), role: roles[role] }));
  }
  const id = (name: string) => found.get(name)!.user.user_id;
  found.set("bolt", await createBot(as(app, id("mel")), { full_name: "Bolt", short_name: "bolt" }));
  await deactivateUser(owner, id("dex"));

  return { bytes: sqlite.serialize(), cast: Object.fromEntries([...found].map(memberOf)) as Cast };
}

function openMemory(): Database {
  const sqlite = new Database(":memory:", { strict: true });
  sqlite.run("PRAGMA foreign_keys = ON");
  return sqlite;
}

function as(app: App, id: number) {
  return app.ctx({ kind: "user", id, client: "test", isOperator: true });
}

function personOf(name: string): { email: string; full_name: string } {
  return { email: `${name}@example.com`, full_name: name.replace(/^./, (initial) => initial.toUpperCase()) };
}

function memberOf([name, { user, api_key }]: [string, UserWithKey]): [string, CastMember] {
  return [name, { id: user.user_id, email: user.email, full_name: user.full_name, key: api_key }];
}

/** A copy of the seeded database, with the settings of our connections. */
export function copyOf({ bytes }: Seed): Database {
  const sqlite = Database.deserialize(bytes, { strict: true });
  sqlite.run("PRAGMA foreign_keys = ON");
  return sqlite;
}
