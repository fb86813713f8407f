/** From which message to which a user has muted another: what that one sent in between arrives as read. */
export interface MuteSpan {
  user_id: number;
  muted_user_id: number;
  from_id: number;
  /** Null while muted. */
  to_id: number | null;
}
