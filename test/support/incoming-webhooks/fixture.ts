/** A request as the sender's documentation shows it. */
export interface Fixture {
  sender: string;
  what: string;
  headers: Record<string, string>;
  payload: unknown;
}
