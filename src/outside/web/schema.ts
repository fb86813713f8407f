/** What the page tells the web client before it asks for anything. */
export interface Boot {
  /** Whether the browser has a session; without one the client shows the page for signing in. */
  readonly signed_in: boolean;
  /** Whether people without an account may look around. */
  readonly open_to_visitors: boolean;
  readonly realm_name: string;
  readonly realm_icon: string;
  /** The name of the cookie whose value goes into the header X-CSRFToken. */
  readonly csrf_cookie: string;
  /** The address of the emoji picker's data, without a trailing slash. */
  readonly emoji_data: string;
  readonly version: string;
  /** People as whom anybody may sign in without a password; null but on a server for development. */
  readonly sample_people: readonly { readonly email: string; readonly full_name: string }[] | null;
  /** Whether people may sign in by password. */
  readonly takes_passwords: boolean;
  /** Where else they may sign in; icons are `data:` URLs. */
  readonly providers: readonly {
    readonly name: string;
    readonly button: string;
    readonly icon: string | null;
  }[];
}
