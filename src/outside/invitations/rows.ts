import type { Role } from "@/foundation/permissions/schema.ts";

export interface Invitation {
  id: number;
  kind: Kind;
  /** The ID that clients know, numbered per kind. */
  number: number;
  /** Null once the invitation has ended. */
  key: string | null;
  inviter_id: number;
  role: Role;
  /** Null for a link that anyone may use. */
  email: string | null;
  channel_ids: number[];
  group_ids: number[];
  with_defaults: 0 | 1;
  /** Null: the organization's text. */
  welcome_text: string | null;
  notify_inviter: 0 | 1;
  invited_at: number;
  /** Null: no limit. */
  valid_minutes: number | null;
  expires_at: number | null;
  state: "open" | "revoked" | "used";
  /** The queued email, which may already be sent. */
  mail_id: number | null;
  /** Whether only a mail has shown the key: who has it reads mail at the address. */
  is_mailed: 0 | 1;
}

export type Kind = "link" | "address";
