import type { Role } from "@/foundation/permissions/schema.ts";
import type { SystemBotKind } from "./schema.ts";

export interface UserRow {
  id: number;
  /** The address in the API; generated if not everyone may see the person's own. */
  email: string;
  /** The person's own address. */
  delivery_email: string;
  full_name: string;
  role: Role;
  is_active: 0 | 1;
  is_bot: 0 | 1;
  bot_type: number | null;
  bot_owner_id: number | null;
  timezone: string;
  avatar_version: number;
  /** Null for the generated picture. */
  avatar_file: string | null;
  date_joined: number;
  password_hash: string | null;
  system_bot: SystemBotKind | null;
}
