import { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { roleName, roles } from "@/permissions/schema.ts";
import {
  changeRole,
  createUser,
  deactivateUser,
  reactivateUser,
  rotateKey,
  setPassword,
} from "@/users/actions.ts";
import { getUserByEmail, listUsers } from "@/users/queries.ts";
import { emailAddress, fullName, password, type User } from "@/users/schema.ts";
import { account, accountWithKey, keyFacts } from "./accounts.ts";
import { flag, operand, option } from "./args.ts";
import { command } from "./command.ts";
import { readSecret } from "./input.ts";
import { facts, table } from "./output.ts";

const who = operand("EMAIL", z.string(), "the user's address");
const yes = z.boolean().default(false);

const userWith = (ctx: Ctx, email: string): User => getUserByEmail(ctx, { email });
const idOf = (ctx: Ctx, email: string) => userWith(ctx, email).user_id;
const shown = (user: User) => ({
  ...account(user),
  is_active: user.is_active,
  is_bot: user.is_bot,
  date_joined: user.date_joined,
});
type Shown = ReturnType<typeof shown>;

const stateOf = ({ is_active }: Shown) => (is_active ? "active" : "deactivated");

async function newPassword(): Promise<string> {
  const result = password.safeParse(await readSecret("Password"));
  return result.success
    ? result.data
    : fail("BAD_REQUEST", result.error.issues[0]?.message ?? "It is not valid.");
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
      email: option("EMAIL", emailAddress, "their address"),
      name: option("NAME", fullName, "their full name"),
      role: option("ROLE", roleName.default("member"), roleName.options.join(", ")),
      password_stdin: flag(yes, "read a password from standard input; without one they have the key alone"),
    },
    run: async (ctx, { email, name, role, password_stdin }) => {
      const secret = password_stdin ? await newPassword() : undefined;
      return accountWithKey(
        await createUser(ctx, { email, full_name: name, role: roles[role], password: secret }),
      );
    },
    print: (made) => `Added ${made.full_name} as ${made.role}.\n${keyFacts(made)}`,
  }),

  command({
    name: "user list",
    summary: "List people and bots",
    examples: ["confab user list", "confab user list --json | jq -r '.[].email'"],
    args: {},
    run: (ctx) => listUsers(ctx, {}).map(shown),
    print: (users) =>
      table(
        ["ID", "EMAIL", "NAME", "ROLE", "KIND", "STATE"],
        users.map((user) => [
          String(user.user_id),
          user.email,
          user.full_name,
          user.role,
          user.is_bot ? "bot" : "person",
          stateOf(user),
        ]),
      ),
  }),

  command({
    name: "user show",
    summary: "Show one user",
    examples: ["confab user show ada@example.com"],
    args: { email: who },
    run: (ctx, { email }) => shown(userWith(ctx, email)),
    print: (user) =>
      facts([
        ["ID", String(user.user_id)],
        ["Email", user.email],
        ["Name", user.full_name],
        ["Role", user.role],
        ["Kind", user.is_bot ? "bot" : "person"],
        ["State", stateOf(user)],
        ["Joined", user.date_joined],
      ]),
  }),

  command({
    name: "user role",
    summary: "Change a user's role",
    examples: ["confab user role ada@example.com moderator"],
    args: { email: who, role: operand("ROLE", roleName, roleName.options.join(", ")) },
    run: async (ctx, { email, role }) =>
      shown(await changeRole(ctx, { user_id: idOf(ctx, email), role: roles[role] })),
    print: (user) => `${user.full_name} is ${user.role} now.`,
  }),

  command({
    name: "user deactivate",
    summary: "End a user's access; what they wrote stays",
    examples: ["confab user deactivate ada@example.com"],
    args: { email: who },
    run: async (ctx, { email }) => shown(await deactivateUser(ctx, idOf(ctx, email))),
    print: (user) => `${user.full_name} is deactivated now.`,
  }),

  command({
    name: "user reactivate",
    summary: "Give a deactivated user access again",
    examples: ["confab user reactivate ada@example.com"],
    args: { email: who },
    run: async (ctx, { email }) => shown(await reactivateUser(ctx, idOf(ctx, email))),
    print: (user) => `${user.full_name} is active again.`,
  }),

  command({
    name: "user api-key",
    summary: "Replace a user's API keys by a new one",
    about:
      "Replaces all API keys of a user or bot by a new one, and shows it. Keys are stored only as hashes, so that a " +
      "key is shown when it is made and never again.",
    examples: ["confab user api-key ada@example.com --rotate"],
    args: { email: who, rotate: flag(yes, "make the new key; those in use stop working at once") },
    run: async (ctx, { email, rotate }) => {
      const user_id = idOf(ctx, email);
      if (!rotate) {
        const advice = "add --rotate to replace it by a new one, which ends those in use.";
        fail("BAD_REQUEST", `A key is shown once, when it is made, and only its hash is stored: ${advice}`);
      }
      return accountWithKey(await rotateKey(ctx, user_id));
    },
    print: (made) => `${made.full_name} has a new key; those before it no longer work.\n${keyFacts(made)}`,
  }),

  command({
    name: "user password",
    summary: "Set a person's password",
    about:
      "Sets a person's password, read from standard input; in a terminal it is asked for, and not shown.",
    examples: ["confab user password ada@example.com", "confab user password ada@example.com < password.txt"],
    args: { email: who },
    run: async (ctx, { email }) => {
      const user_id = idOf(ctx, email);
      return shown(await setPassword(ctx, { user_id, password: await newPassword() }));
    },
    print: (user) => `${user.full_name} has a new password.`,
  }),
];
