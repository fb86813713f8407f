import type { Role, Scope } from "./schema.ts";

export interface GrantRow {
  scope: Scope;
  owner_id: number;
  name: string;
}

/** The data that decides a user's permissions. */
export interface Member {
  id: number;
  role: Role;
  is_active: 0 | 1;
  is_bot: 0 | 1;
  bot_type: number | null;
  bot_owner_id: number | null;
  date_joined: number;
}
