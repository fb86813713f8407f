/** A post as a sender documents it. */
export interface Fixture {
  sender: string;
  what: string;
  headers: Record<string, string>;
  payload: unknown;
}
