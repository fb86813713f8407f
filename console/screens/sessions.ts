import { listSessionsOf } from "@/foundation/sessions/queries.ts";
import type { Session as Browser } from "@/foundation/sessions/schema.ts";
import { listUsers } from "@/foundation/users/queries.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { endSessionsFor, rotateKey } from "../changes/people.ts";
import { timeText } from "../layout.ts";
import { type Scope, screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { keyFacts } from "./accounts.ts";

interface Row {
  user: User;
  /** Null for the keys of programs. */
  browser: Browser | null;
}

const maxPeople = 500;

/** The sessions of one person, or of the first few hundred. */
function rows({ ctx }: Session, scope: Scope | null): Row[] {
  const now = ctx();
  const people = listUsers(now, {}).filter(
    ({ user_id, is_active, is_bot }) => is_active && (scope ? user_id === scope.id : !is_bot),
  );
  return people
    .slice(0, maxPeople)
    .flatMap((user) => [
      ...browsersOf(now, user).map((browser) => ({ user, browser })),
      { user, browser: null },
    ]);
}

function browsersOf(ctx: Ctx, { user_id, is_bot }: User): Browser[] {
  return is_bot ? [] : listSessionsOf(ctx, user_id);
}

const whatOf = ({ browser }: Row) => browser?.device ?? "API keys of programs";

export const sessions = screen<Row>({
  key: "S",
  title: "Sessions",
  area: "People",
  about: "browsers that are signed in, and keys",
  empty: "Nobody is signed in.",
  rows,
  id: ({ user, browser }) => `${user.user_id} ${browser?.id ?? "keys"}`,
  name: (row) => `${whatOf(row)} of ${row.user.full_name}`,
  copies: ({ browser, user }) => browser?.address ?? addressOf(user),
  columns: [
    { title: "PERSON", value: ({ user }) => user.full_name },
    { title: "WHAT", value: whatOf, grow: true, tone: ({ browser }) => (browser ? "plain" : "dim") },
    { title: "ADDRESS", value: ({ browser }) => browser?.address ?? "" },
    {
      title: "LAST SEEN (UTC)",
      value: ({ browser }) => (browser ? timeText(browser.last_seen_at) : ""),
      whole: true,
    },
  ],
  facts: (_, { user, browser }) => [
    ["Person", user.full_name],
    ["Email", addressOf(user)],
    ...(browser
      ? ([
          ["Device", browser.device],
          ["Address", browser.address],
          ["Signed in", timeText(browser.created_at)],
          ["Last seen", timeText(browser.last_seen_at)],
          ["Ends", timeText(browser.expires_at)],
        ] as const)
      : ([["Keys", "Programs and apps log in with them; only their hashes are stored."]] as const)),
  ],
  rowActions: [
    {
      key: "d",
      title: ({ browser }) => (browser ? "sign out" : null),
      confirm: ({ user, browser }) => `Sign ${user.full_name} out of ${browser?.device ?? ""}?`,
      async run(ctx, { user, browser }) {
        if (browser) await endSessionsFor(ctx, { user_id: user.user_id, id: browser.id });
        return { message: `${user.full_name} is signed out there.` };
      },
    },
    {
      key: "x",
      title: () => "sign out everywhere",
      confirm: ({ user }) => `Sign ${user.full_name} out of all browsers?`,
      async run(ctx, { user }) {
        const ended = await endSessionsFor(ctx, { user_id: user.user_id });
        return { message: `Ended ${ended} session${ended === 1 ? "" : "s"} of ${user.full_name}.` };
      },
    },
    {
      key: "a",
      title: ({ browser }) => (browser ? null : "new API key"),
      confirm: ({ user }) =>
        `Give ${user.full_name} a new API key? All their current keys stop working, which also logs them out.`,
      async run(ctx, { user }) {
        const { user: changed, api_key } = await rotateKey(ctx, user.user_id);
        return { message: `${changed.full_name} has a new API key.`, secret: keyFacts(changed, api_key) };
      },
    },
    {
      key: "p",
      title: () => "the person",
      go: ({ user }) => ({ to: "Users", select: user.user_id, opens: true }),
    },
  ],
});
