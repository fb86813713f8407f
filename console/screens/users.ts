import { z } from "zod";
import { listUsers } from "@/foundation/accounts/queries.ts";
import { listGroups } from "@/foundation/groups/queries.ts";
import { roleName, roleNameOf, roles } from "@/foundation/permissions/schema.ts";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import { isOnFor } from "@/foundation/two-step/queries.ts";
import { addressOf, emailAddress, fullName, password, type User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { createUser, makeResetLink, resetTwoStep, setPassword, updateUser } from "../changes/people.ts";
import { auditFact, seeAlso } from "../jumps.ts";
import { listPeople } from "../names.ts";
import { changeForm, form, type ScreenForm, screen } from "../screen.ts";
import { accountActions, keyFacts, stateColumn } from "./accounts.ts";
import { erasureOf } from "./erasing.ts";

const email = { label: "Email", about: "The address they log in with.", rule: emailAddress, isOwn: true };
const name = { label: "Name", about: "As others see it.", rule: fullName, isOwn: true };
const role = { label: "Role", about: "What they may do.", rule: roleName };
const noPassword = z.literal("");

function newPerson(): ScreenForm {
  return form({
    title: "A new person",
    fields: {
      email,
      full_name: name,
      role: { ...role, start: "member" },
      password: {
        label: "Password",
        about: "Empty: they can only use the API key.",
        rule: z.union([noPassword, password]),
        secret: true,
      },
    },
    async submit(ctx, { role: named, password: secret, ...person }) {
      const given = { ...person, role: roles[named], password: secret === "" ? undefined : secret };
      const { user, api_key } = await createUser(ctx, given);
      return { message: `Added ${user.full_name}.`, secret: keyFacts(user, api_key) };
    },
  });
}

function edit(_: Ctx, user: User): ScreenForm {
  return changeForm({
    title: `The account of ${user.full_name}`,
    fields: {
      role: { ...role, start: roleNameOf(user.role) },
      full_name: { ...name, start: user.full_name },
      new_email: { ...email, start: addressOf(user) },
    },
    async submit(ctx, { role: named, ...changes }) {
      const given = named === undefined ? changes : { ...changes, role: roles[named] };
      await updateUser(ctx, { user_id: user.user_id, ...given });
      return { message: `Changed the account of ${changes.full_name ?? user.full_name}.` };
    },
  });
}

function passwordOf(_: Ctx, user: User): ScreenForm {
  return form({
    title: `Password of ${user.full_name}`,
    fields: {
      password: {
        label: "Password",
        about: "Replaces their current password.",
        rule: password,
        isOwn: true,
        secret: true,
      },
    },
    async submit(ctx, { password: secret }) {
      await setPassword(ctx, { user_id: user.user_id, password: secret });
      return { message: `${user.full_name} has a new password.` };
    },
  });
}

/** The groups that name the person, without those that follow from the role. */
function groupsOf(ctx: Ctx, { user_id }: User): string[] {
  return listGroups(ctx, {})
    .filter(({ is_system_group, members }) => !is_system_group && members.includes(user_id))
    .map(({ name }) => name);
}

export const users = screen<User>({
  key: "2",
  title: "Users",
  area: "People",
  noun: "person",
  about: "people with an account",
  empty: "There are no people.",
  rows: ({ ctx }) => listPeople(ctx()).filter(({ is_bot }) => !is_bot),
  find: ({ ctx }, id) => listUsers(ctx(), { user_ids: [Number(id)] }).find(({ is_bot }) => !is_bot) ?? null,
  id: ({ user_id }) => user_id,
  copies: addressOf,
  page: ({ user_id }) => `/#user/${user_id}`,
  columns: [
    { title: "NAME", value: ({ full_name }) => full_name },
    { title: "EMAIL", value: addressOf, grow: true },
    { title: "ROLE", value: ({ role }) => roleNameOf(role), whole: true },
    stateColumn,
    { title: "JOINED", value: ({ date_joined }) => date_joined.slice(0, 10), whole: true, spare: true },
  ],
  facts: ({ ctx }, user) => [
    ["Name", user.full_name],
    ["Email", addressOf(user)],
    ["ID", String(user.user_id)],
    ["Role", roleNameOf(user.role)],
    ["State", stateColumn.value(user)],
    ["Joined", user.date_joined.slice(0, 16).replace("T", " ")],
    ["Time zone", user.timezone],
    ["Two-step", isOnFor(ctx(), user.user_id) ? "on" : "off"],
    ["Groups", groupsOf(ctx(), user).join(", ")],
    auditFact(addressOf(user)),
    [
      seeAlso,
      "lines of the log",
      { to: "Log", chosen: { "log level": "info", "log operation": "", "log person": String(user.user_id) } },
    ],
  ],
  create: { title: "new person", form: newPerson },
  edit,
  rowActions: [
    ...accountActions(),
    {
      key: "s",
      title: ({ is_active }) => (is_active ? "sessions" : null),
      opens: "Sessions",
    },
    { key: "x", need: "admin", title: () => "erase", isForOne: true, form: erasureOf },
    {
      key: "p",
      need: "machine",
      title: ({ is_active }) => (is_active ? "password" : null),
      form: passwordOf,
    },
    {
      key: "l",
      need: "machine",
      title: ({ is_active }) => (is_active ? "reset link" : null),
      isForOne: true,
      async run(ctx, user) {
        const { path } = await makeResetLink(ctx, user.user_id);
        return {
          message: [
            `With this link ${user.full_name} chooses a new password, once, within an hour.`,
            ...remarkOnLinks(ctx.env.site),
          ].join(" "),
          secret: [["Link", ctx.env.site + path]],
        };
      },
    },
    {
      key: "t",
      title: ({ is_active }) => (is_active ? "reset two-step" : null),
      confirm: ({ full_name }) =>
        `Turn two-step sign-in off for ${full_name}? Then their password alone signs them in.`,
      async run(ctx, { user_id, full_name }) {
        await resetTwoStep(ctx, user_id);
        return { message: `Two-step sign-in is off for ${full_name}.` };
      },
    },
  ],
});
