import { z } from "zod";
import {
  createUser,
  deactivateAndMail,
  rotateKey,
  setPassword,
  updateUser,
} from "@/foundation/accounts/actions.ts";
import { getUser, listAllUsers } from "@/foundation/accounts/queries.ts";
import { newPerson, personPatch } from "@/foundation/accounts/schema.ts";
import { listKeysOf } from "@/foundation/keys/queries.ts";
import { roleName, roles } from "@/foundation/permissions/schema.ts";
import { addressOf, easilyGuessed, farewell, password } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { sentenceOf } from "@/kernel/lib/wording.ts";
import {
  accountWithKey,
  accountWithKeyShape,
  keyFacts,
  presentAccount,
  userShape as shape,
  stateOf,
} from "../accounts.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { yes as agreed, confirm } from "../confirm.ts";
import { readSecret } from "../input.ts";
import { failUsage } from "../misuse.ts";
import { facts, table, timeText } from "../output.ts";
import { membersOf, userWith } from "../values.ts";
import access from "./user-access.ts";
import { inactive, inactiveSince, lastActive, lastActiveDates } from "./user-activity.ts";
import addresses, { addressProofShape, proofSeen, proofWords } from "./user-address.ts";
import { lossOfUsers } from "./user-ending.ts";
import erasing from "./user-erasing.ts";
import imports from "./user-import.ts";
import keys from "./user-keys.ts";
import manyUsers from "./user-many.ts";
import { fieldNamed, parseGiven, profileOf } from "./user-profile.ts";
import recovery from "./user-recovery.ts";

const who = operand("EMAIL", z.string(), "the user's address or ID");
const yes = z.boolean().default(false);

type Shown = z.infer<typeof shape>;
/** With the last day of activity, for administrators. */
const listed = shape.extend({ last_active: lastActive.optional() });
const whole = listed.extend({
  timezone: z.string(),
  profile: z.record(z.string(), z.string()),
  /** Only for people, and for those who may know. */
  address_proof: addressProofShape.optional(),
});

const idOf = (ctx: Ctx, email: string) => userWith(ctx, email).user_id;
const kindOf = ({ is_bot }: Shown) => (is_bot ? "bot" : "person");
const kinds = z.enum(["person", "bot"]);
const states = z.enum(["active", "deactivated"]);

/** Adds the last active day of each, where the actor may know it. */
function withActivity<T extends Shown>(ctx: Ctx, users: readonly T[]): (T & z.infer<typeof listed>)[] {
  const lastOf = lastActiveDates(ctx);
  return users.map((user) => (lastOf ? { ...user, last_active: lastOf(user.user_id) } : user));
}

const activityText = ({ last_active }: z.infer<typeof listed>) =>
  last_active === undefined ? "" : (last_active ?? "never");

const allowWeak = flag(yes, "accept a password that is easy to guess");

/** Adds a hint to the flag. */
function insisting(error: unknown): never {
  if (!(error instanceof AppError) || error.message !== easilyGuessed) throw error;
  return fail("BAD_REQUEST", `${easilyGuessed} --allow-weak-password accepts it anyway.`);
}

async function newPassword(): Promise<string> {
  const result = password.safeParse(await readSecret("Password"));
  return result.success
    ? result.data
    : fail("BAD_REQUEST", sentenceOf("The password", result.error.issues[0]));
}

export default [
  command({
    name: "user create",
    summary: "Add a person and show their API key",
    examples: [
      "confab user create --email ada@example.com --name 'Ada Byron'",
      "confab user create --email ada@example.com --name Ada --role admin --password-stdin < password.txt",
    ],
    args: {
      email: option("EMAIL", newPerson.shape.email, "their address"),
      name: option("NAME", newPerson.shape.full_name, "their full name"),
      role: option("ROLE", roleName.default("member"), roleName.options.join(", ")),
      password_stdin: flag(yes, "read a password from standard input; without one they only have the key"),
      allow_weak_password: allowWeak,
    },
    result: accountWithKeyShape,
    run: async (ctx, { email, name, role, password_stdin, allow_weak_password }) => {
      const person = { email, full_name: name, role: roles[role] };
      const secret = password_stdin ? await newPassword() : undefined;
      const made = await createUser(ctx, {
        ...person,
        password: secret,
        allowWeak: allow_weak_password,
      }).catch(insisting);
      return accountWithKey(made);
    },
    print: (made) => `Added ${made.full_name} as ${made.role}.\n${keyFacts(made)}`,
  }),

  command({
    name: "user list",
    isUnaudited: true,
    summary: "List people and bots",
    about:
      "Lists people and bots. Administrators see the last day, in UTC, on which each was active: used a client, or sent a message; " +
      "for bots, when their key was used. --inactive-since leaves out who joined since then, and only administrators may use it.",
    examples: [
      "confab user list",
      "confab user list --role owner --state active",
      "confab user list --inactive-since 90d --state active --kind person",
      "confab user list --group design",
      "confab user list --json | jq -r '.[].email'",
    ],
    args: {
      role: option("ROLE", roleName.optional(), roleName.options.join(", ")),
      kind: option("KIND", kinds.optional(), kinds.options.join(", ")),
      state: option("STATE", states.optional(), states.options.join(", ")),
      group: option("GROUP", z.string().optional(), "only members of this group"),
      inactive_since: inactiveSince,
    },
    result: z.array(listed),
    run: async (ctx, { role, kind, state, group, inactive_since }) => {
      const members = group === undefined ? null : membersOf(ctx, group);
      const isInactive = inactive_since === undefined ? null : inactive(ctx, inactive_since);
      const users = (await listAllUsers(ctx))
        .map(presentAccount)
        .filter((user) => role === undefined || user.role === role)
        .filter((user) => kind === undefined || kindOf(user) === kind)
        .filter((user) => state === undefined || stateOf(user) === state)
        .filter((user) => members?.has(user.user_id) ?? true)
        .filter((user) => isInactive?.(user) ?? true);
      return withActivity(ctx, users);
    },
    print: (users) =>
      table(
        ["ID", "EMAIL", "NAME", "ROLE", "KIND", "STATE", "LAST ACTIVE"],
        users.map((user) => [
          String(user.user_id),
          user.email,
          user.full_name,
          user.role,
          kindOf(user),
          stateOf(user),
          activityText(user),
        ]),
      ),
  }),

  command({
    name: "user show",
    isUnaudited: true,
    summary: "Show one user",
    examples: ["confab user show ada@example.com"],
    args: { email: who },
    result: whole,
    run: (ctx, { email }) => {
      const user = userWith(ctx, email);
      const profile = profileOf(ctx, user.user_id);
      const [seen] = withActivity(ctx, [presentAccount(user)]) as [Shown];
      return { ...seen, timezone: user.timezone, profile, ...proofSeen(ctx, user) };
    },
    print: (user) =>
      facts([
        ["ID", String(user.user_id)],
        ["Email", user.email],
        ...(user.address_proof === undefined ? [] : [["Address", proofWords(user.address_proof)] as const]),
        ["Name", user.full_name],
        ["Role", user.role],
        ["Kind", kindOf(user)],
        ["State", stateOf(user)],
        ["Joined", `${timeText(Date.parse(user.date_joined) / 1000)} UTC`],
        ...(user.last_active === undefined ? [] : [["Last active", activityText(user)] as const]),
        ["Time zone", user.timezone || "not set"],
        ...Object.entries(user.profile),
      ]),
  }),

  command({
    name: "user update",
    summary: "Change a user's name or address",
    about: "Changes a user's name, or a person's address. Only owners may change another person's address.",
    examples: [
      "confab user update ada@example.com --name 'Ada Lovelace'",
      "confab user update ada@example.com --email lovelace@example.com",
    ],
    args: {
      user: who,
      name: option("NAME", personPatch.shape.full_name, "their new name"),
      email: option("EMAIL", personPatch.shape.new_email, "their new address"),
    },
    result: shape,
    run: async (ctx, { user, name, email }) => {
      if (name === undefined && email === undefined) failUsage("name a change: --name or --email");
      await updateUser(ctx, { user_id: idOf(ctx, user), full_name: name, new_email: email });
      return presentAccount(userWith(ctx, email ?? user));
    },
    print: ({ full_name, email }, given) =>
      [
        given.name !== undefined && `${email} is called ${full_name} now.`,
        given.email !== undefined && `${full_name}'s address is now ${email}.`,
      ]
        .filter(Boolean)
        .join("\n"),
  }),

  command({
    name: "user profile",
    summary: "Fill in a field of a user's profile",
    about:
      "Fills in a profile field, as listed by 'confab profile-field list'; '' clears it. Name options by their text and " +
      "people by their addresses, separated by commas.",
    examples: [
      "confab user profile ada@example.com 'Job title' Engineer",
      "confab user profile ada@example.com Mentor grace@example.com",
    ],
    args: {
      email: who,
      field: operand("FIELD", z.string().min(1), "the field's label"),
      value: operand("VALUE", z.string(), "its value; '' to clear it"),
    },
    result: whole.pick({ email: true, profile: true }),
    run: async (ctx, { email, field, value }) => {
      const user = userWith(ctx, email);
      const given = parseGiven(ctx, fieldNamed(ctx, field), value);
      await updateUser(ctx, { user_id: user.user_id, profile_data: [given] });
      return { email: addressOf(user), profile: profileOf(ctx, user.user_id) };
    },
    print: ({ email, profile }) => facts([["Email", email], ...Object.entries(profile)]),
  }),

  command({
    name: "user delete",
    summary: "Close a user's account, and tell them why",
    about:
      "Closes a user's account: their keys, sessions and queues end, their bots are deactivated, their messages stay. --comment " +
      "sends them a mail about it with your text. 'confab user reactivate' opens the account again.",
    examples: [
      "confab user delete ada@example.com --yes",
      "confab user delete ada@example.com --comment 'Thank you for everything.' --yes",
    ],
    args: {
      email: who,
      comment: option(
        "TEXT",
        farewell.optional(),
        "your text in the mail to them; '' for a mail without one",
      ),
      yes: agreed,
    },
    result: shape,
    run: async (ctx, { email, comment, yes }) => {
      const user = userWith(ctx, email);
      const { user_id } = user;
      await confirm(lossOfUsers(ctx, [user], "closes the account of"), yes);
      await deactivateAndMail(ctx, { user_id, comment });
      return presentAccount(getUser(ctx, { user_id }));
    },
    print: (user) => `The account of ${user.full_name} is closed.`,
  }),

  command({
    name: "user api-key",
    isHere: true,
    summary: "Replace a user's API keys with a new one",
    about:
      "Replaces all API keys of a user or bot with a new one, and shows it. The server stores only a hash of it, so it " +
      "cannot show the key again later.",
    examples: [
      "confab user api-key ada@example.com --rotate",
      "confab user api-key ada@example.com --rotate --yes",
    ],
    args: {
      email: who,
      rotate: flag(yes, "create the new key; the old ones stop working at once"),
      yes: agreed,
    },
    result: accountWithKeyShape,
    run: async (ctx, { email, rotate, yes }) => {
      const { user_id, full_name } = userWith(ctx, email);
      if (!rotate) {
        const advice = "add --rotate to create a new one; the old ones stop working at once.";
        fail("BAD_REQUEST", `A key is shown once, when it is made, and only its hash is stored: ${advice}`);
      }
      const count = [listKeysOf(ctx, user_id).length, "key"] as const;
      const note = "A new one is made; what uses an old one stops working at once.";
      await confirm({ does: "ends", count, of: `of ${full_name}`, note }, yes);
      return accountWithKey(await rotateKey(ctx, user_id));
    },
    print: (made) => `${made.full_name} has a new key; the old ones no longer work.\n${keyFacts(made)}`,
  }),

  command({
    name: "user password",
    isHere: true,
    summary: "Set a person's password",
    about:
      "Sets a person's password, read from standard input. In a terminal, prompts for it without showing it.",
    examples: ["confab user password ada@example.com", "confab user password ada@example.com < password.txt"],
    args: { email: who, allow_weak_password: allowWeak },
    result: shape,
    run: async (ctx, { email, allow_weak_password }) => {
      const person = { user_id: idOf(ctx, email), allowWeak: allow_weak_password };
      return presentAccount(
        await setPassword(ctx, { ...person, password: await newPassword() }).catch(insisting),
      );
    },
    print: (user) => `${user.full_name} has a new password.`,
  }),

  ...access,
  ...addresses,
  ...keys,
  ...manyUsers,
  ...imports,
  ...recovery,
  ...erasing,
];
