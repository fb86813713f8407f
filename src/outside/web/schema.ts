/** What the page contains for the web client, so that it need not ask for it. */
export interface Boot {
  /** Whether the browser has a session; if not, the client shows the sign-in page. */
  readonly signed_in: boolean;
  /** Whether people without an account may read web-public channels. */
  readonly open_to_visitors: boolean;
  readonly realm_name: string;
  readonly realm_icon: string;
  /** The cookie with the value of the header X-CSRFToken. */
  readonly csrf_cookie: string;
  /** The address of the emoji picker's data, without a trailing slash. */
  readonly emoji_data: string;
  readonly version: string;
  /** Where the page may go if the cluster's node that it is from dies: the origins of other nodes, the first one first. */
  readonly other_nodes: readonly string[];
  /** On a server for development: accounts that need no password; otherwise null. */
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
