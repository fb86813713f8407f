import { listKeysOf } from "@/foundation/keys/queries.ts";
import type { Key } from "@/foundation/keys/schema.ts";
import { listSessionsOf } from "@/foundation/sessions/queries.ts";
import type { Session as Browser } from "@/foundation/sessions/schema.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { endKeysFor, endSessionsFor, rotateKey } from "../changes/people.ts";
import { toAccount } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { listPeople } from "../names.ts";
import { type ScreenScope, screen, timeColumn } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { keyFacts } from "./accounts.ts";

/** A browser in which somebody is signed in, or one of their keys. */
type Row = { user: User } & ({ browser: Browser; key: null } | { browser: null; key: Key });

const maxPeople = 500;

/** The sessions and keys of one person, or of the first few hundred. */
function rows({ ctx }: ConsoleSession, scope: ScreenScope | null): Row[] {
  const now = ctx();
  const people = listPeople(now).filter(
    ({ user_id, is_active, is_bot }) => is_active && (scope ? user_id === scope.id : !is_bot),
  );
  return people
    .slice(0, maxPeople)
    .flatMap((user): Row[] => [
      ...browsersOf(now, user).map((browser) => ({ user, browser, key: null })),
      ...listKeysOf(now, user.user_id).map((key) => ({ user, browser: null, key })),
    ]);
}

function browsersOf(ctx: Ctx, { user_id, is_bot }: User): Browser[] {
  return is_bot ? [] : listSessionsOf(ctx, user_id);
}

function whatOf({ browser, key }: Row): string {
  if (browser) return browser.device;
  if (key.kind === "program") return "API key for programs";
  return `API key of ${key.device || "an app"}`;
}

const lastUseText = ({ last_used_at }: Key) => (last_used_at === null ? "never" : timeText(last_used_at));

export const sessions = screen<Row>({
  key: "S",
  title: "Sessions",
  area: "People",
  about: "browsers that are signed in, and keys",
  empty: "Nobody is signed in.",
  rows,
  id: ({ browser, key }) => (browser ? `session ${browser.id}` : `key ${key.id}`),
  name: (row) => `${whatOf(row)} of ${row.user.full_name}`,
  copies: ({ browser, user }) => browser?.address ?? addressOf(user),
  columns: [
    { title: "PERSON", value: ({ user }) => user.full_name },
    { title: "WHAT", value: whatOf, grow: true, tone: ({ browser }) => (browser ? "plain" : "dim") },
    { title: "ADDRESS", value: ({ browser }) => browser?.address ?? "", spare: true },
    timeColumn("LAST SEEN", ({ browser, key }) => (browser ? browser.last_seen_at : key.last_used_at)),
  ],
  facts: ({ ctx }, { user, browser, key }) => [
    ["Person", user.full_name, toAccount(ctx(), user.user_id)],
    ["Email", addressOf(user)],
    ...(browser
      ? ([
          ["Device", browser.device],
          ["Address", browser.address],
          ["Signed in", timeText(browser.created_at)],
          ["Last seen", timeText(browser.last_seen_at)],
          ["Ends", timeText(browser.expires_at)],
        ] as const)
      : ([
          ["Key", key.kind === "program" ? "for programs" : `handed out to ${key.device || "an app"}`],
          ["Made", timeText(key.created_at)],
          ["Last used", lastUseText(key)],
        ] as const)),
  ],
  rowActions: [
    {
      key: "d",
      title: ({ browser }) => (browser ? "sign out" : "end"),
      confirm: (row) =>
        row.browser
          ? `Sign ${row.user.full_name} out of ${row.browser.device}?`
          : `End the ${whatOf(row)} of ${row.user.full_name}? What uses it stops working.`,
      async run(ctx, { user: { user_id, full_name }, browser, key }) {
        if (!browser) {
          await endKeysFor(ctx, { user_id, id: key.id });
          return { message: `The key of ${full_name} has ended.` };
        }
        await endSessionsFor(ctx, { user_id, id: browser.id });
        return { message: `${full_name} is signed out there.` };
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
      need: "machine",
      title: ({ browser }) => (browser ? null : "new API key"),
      isForOne: true,
      confirm: ({ user }) =>
        `Give ${user.full_name} a new API key? All their current keys stop working, which also logs them out.`,
      async run(ctx, { user }) {
        const { user: changed, api_key } = await rotateKey(ctx, user.user_id);
        return { message: `${changed.full_name} has a new API key.`, secret: keyFacts(changed, api_key) };
      },
    },
  ],
});
