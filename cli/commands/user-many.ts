// Commands that change many users at once: how they choose the users, and what they do to each.
import { z } from "zod";
import { changeRole, deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { listAllUsers, listRefusedChanges } from "@/foundation/accounts/queries.ts";
import { roleName, roles } from "@/foundation/permissions/schema.ts";
import { addressOf, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { amountText } from "@/kernel/lib/wording.ts";
import { presentAccount, userShape as shape } from "../accounts.ts";
import { type ArgValues, choosing, operands, option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { fileOption, readGivenBytes } from "../files.ts";
import { anyNumber, changeEach, failureText, findEach, manyShape, namesIn, reasonsText } from "../many.ts";
import { failUsage } from "../misuse.ts";
import { findUserId, membersOf } from "../values.ts";
import { inactive, inactiveSince } from "./user-activity.ts";
import { countOfUsers, lossOfUsers } from "./user-ending.ts";

const maxBytes = 4_000_000;

const selection = {
  file: fileOption("a file with an address or ID on each line", { maxBytes }),
  group: option("GROUP", z.string().optional(), "members of this group"),
  inactive_since: inactiveSince,
};
/** Groups have no members who are deactivated. */
const { group: _, ...selectionOfDeactivated } = selection;
const email = operands("EMAIL", anyNumber, "addresses or IDs of the users");

const howSelected = (chosenBy: string) =>
  `Name the users, or give --file; ${chosenBy} among these or, if none are named, among all people but the acting user. If a name is ` +
  "unknown, nothing is changed.";

const result = manyShape(shape);
type Result = z.infer<typeof result>;

type Selection = Partial<ArgValues<typeof selection>> & { email: readonly string[] };

interface SelectedUsers {
  users: User[];
  /** Whether they were chosen by what they are, instead of by name. */
  areChosen: boolean;
}

/** The users that a command line selects. */
async function selectUsers(ctx: Ctx, given: Selection): Promise<SelectedUsers> {
  const { email: typed, file, group, inactive_since } = given;
  const areChosen = typed.length === 0 && file === undefined;
  if (areChosen && group === undefined && inactive_since === undefined) {
    const options = "group" in given ? "--file, --group or --inactive-since" : "--file or --inactive-since";
    failUsage(`name users, or choose them by ${options}`);
  }
  const inFile = file === undefined ? [] : namesIn(await readGivenBytes(file, maxBytes), file);
  const all = [...typed.map((name) => ({ name, line: null })), ...inFile];
  const ids = areChosen
    ? null
    : new Set(
        await findEach(all, { find: (name) => findUserId(ctx, name), what: "user with the address or ID" }),
      );
  const members = group === undefined ? null : membersOf(ctx, group);
  const isInactive = inactive_since === undefined ? null : inactive(ctx, inactive_since);
  const users = (await listAllUsers(ctx))
    .filter(({ user_id, is_bot }) => ids?.has(user_id) ?? !(is_bot || user_id === ctx.actor.id))
    .filter(({ user_id }) => members?.has(user_id) ?? true)
    .filter((user) => isInactive?.(user) ?? true);
  return { users, areChosen };
}

/** Fails if the actor may not make one of the changes: then none is made. */
function checkAll(
  ctx: Ctx,
  users: readonly User[],
  role: Parameters<typeof listRefusedChanges>[1]["role"],
): void {
  const refused = listRefusedChanges(ctx, { user_ids: users.map(({ user_id }) => user_id), role });
  const [first] = refused.values();
  if (first === undefined) return;
  if (users.length === 1) fail("BAD_REQUEST", first);
  const reasons = users.flatMap((user) => {
    const reason = refused.get(user.user_id);
    return reason === undefined ? [] : [{ name: addressOf(user), reason }];
  });
  fail("BAD_REQUEST", `Nobody was changed: ${reasonsText(reasons)}.`);
}

interface Changing {
  /** Those to change. */
  users: readonly User[];
  /** Those who are so already. */
  already: readonly User[];
  doing: string;
  change: (userId: number) => Promise<User>;
}

async function changeAll(ctx: Ctx, { users, already, doing, change }: Changing): Promise<Result> {
  // The actor last: afterwards they may not be able to change others.
  const isSelf = ({ user_id }: User) => user_id === ctx.actor.id;
  const items = [...users.filter((user) => !isSelf(user)), ...users.filter(isSelf)];
  const done = await changeEach({
    items,
    doing,
    nameOf: addressOf,
    change: ({ user_id }) => change(user_id),
  });
  return {
    changed: done.changed.map(presentAccount),
    unchanged: already.map(presentAccount),
    failed: done.failed,
  };
}

/** What was done, in a sentence. */
function summarize({ changed, unchanged, failed }: Result, are: { one: string; many: string }): string {
  const [only] = changed;
  if (!only) return failed.length > 0 ? "Nobody was changed." : "Nobody is left to change.";
  const already = unchanged.length > 0 ? ` ${amountText([unchanged.length, "was", "were"])} so already.` : "";
  if (changed.length === 1) return `${only.full_name} ${are.one}.${already}`;
  const bots = changed.filter(({ is_bot }) => is_bot).length;
  const counts = [
    ...(bots < changed.length ? [amountText([changed.length - bots, "person", "people"])] : []),
    ...(bots > 0 ? [amountText([bots, "bot"])] : []),
  ];
  return `${counts.join(" and ")} ${are.many}.${already}`;
}

export default [
  command({
    name: "user deactivate",
    summary: "Deactivate users; their messages stay",
    about:
      "Deactivates users: their sessions, keys and queues end, the bots of people with them; their messages stay. " +
      `${howSelected("--group and --inactive-since choose")} Who is deactivated already is left out. The last owner always stays.`,
    examples: [
      "confab user deactivate ada@example.com",
      "confab user deactivate --file leavers.txt --yes",
      "confab user deactivate --inactive-since 180d --group contractors",
    ],
    args: { email, ...selection, yes },
    result,
    run: async (ctx, { yes: agreed, ...given }) => {
      const { users, areChosen } = await selectUsers(ctx, given);
      const already = areChosen ? [] : users.filter(({ is_active }) => !is_active);
      const going = users.filter(({ is_active }) => is_active);
      checkAll(ctx, going, null);
      if (going.length === 0 && already.length > 0) fail("BAD_REQUEST", "User is already deactivated");
      if (going.length > 0) await confirm(lossOfUsers(ctx, going), agreed);
      const change = (id: number) => deactivateUser(ctx, id);
      return changeAll(ctx, { users: going, already, doing: "Deactivating", change });
    },
    print: (done) => summarize(done, { one: "is now deactivated", many: "are now deactivated" }),
    failure: failureText,
  }),

  command({
    name: "user reactivate",
    summary: "Reactivate users",
    about:
      `Reactivates users. ${howSelected("--inactive-since chooses")} Who is active already is left out. Several are counted first, and ` +
      "it asks.",
    examples: ["confab user reactivate ada@example.com", "confab user reactivate --file back.txt --yes"],
    args: { email, ...selectionOfDeactivated, yes },
    result,
    run: async (ctx, { yes: agreed, ...given }) => {
      const { users, areChosen } = await selectUsers(ctx, given);
      const already = areChosen ? [] : users.filter(({ is_active }) => is_active);
      const coming = users.filter(({ is_active }) => !is_active);
      checkAll(ctx, coming, null);
      if (coming.length === 0 && already.length > 0) fail("BAD_REQUEST", "User is already active");
      if (coming.length > 1) {
        await confirm(countOfUsers(coming, "reactivates"), agreed);
      }
      const change = (id: number) => reactivateUser(ctx, id);
      return changeAll(ctx, { users: coming, already, doing: "Reactivating", change });
    },
    print: (done) => summarize(done, { one: "is active again", many: "are active again" }),
    failure: failureText,
  }),

  command({
    name: "user role",
    summary: "Change the role of users",
    about: `Gives users a role. ${howSelected("--group and --inactive-since choose")} Who has the role already is left out. Several are counted first, and it asks. The last owner always stays one.`,
    examples: [
      "confab user role ada@example.com moderator",
      "confab user role guest --group contractors",
      "confab user role ada@example.com gus@example.com member --yes",
    ],
    args: {
      words: choosing(
        operands(
          "EMAIL|ROLE",
          z.array(z.string().min(1)).min(1),
          `the users, and the role last: ${roleName.options.join(", ")}`,
        ),
        roleName.options,
      ),
      ...selection,
      yes,
    },
    result,
    run: async (ctx, { words, yes: agreed, ...given }) => {
      const named = roleName.safeParse(words.at(-1));
      if (!named.success) failUsage(`the last word is the role: ${roleName.options.join(", ")}`);
      const role = roles[named.data];
      const { users } = await selectUsers(ctx, { ...given, email: words.slice(0, -1) });
      const already = users.filter((user) => user.role === role);
      const going = users.filter((user) => user.role !== role);
      checkAll(ctx, going, role);
      if (going.length > 1) {
        await confirm(countOfUsers(going, `gives the role ${named.data} to`), agreed);
      }
      const change = (user_id: number) => changeRole(ctx, { user_id, role });
      return changeAll(ctx, { users: going, already, doing: "Changing roles", change });
    },
    print: (done, { words }) =>
      done.changed.length === 0 && done.failed.length === 0 && done.unchanged.length === 1
        ? `${done.unchanged[0]?.full_name} is ${words.at(-1)} now.`
        : summarize(done, { one: `is ${words.at(-1)} now`, many: `are ${words.at(-1)} now` }),
    failure: failureText,
  }),
];
