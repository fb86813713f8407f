import { z } from "zod";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import { listLoginMethods } from "@/foundation/realm-administration/queries.ts";
import { demandTwoStep } from "@/foundation/two-step/actions.ts";
import { demandState } from "@/foundation/two-step/queries.ts";
import { demandShape } from "@/foundation/two-step/schema.ts";
import { operand } from "../args.ts";
import { command } from "../command.ts";
import { table } from "../output.ts";

const shape = z.array(z.object({ method: z.string(), enabled: z.boolean(), available: z.boolean() }));

export default [
  command({
    name: "realm login",
    isUnaudited: ({ change }) => change === undefined,
    summary: "Show or change whether people may sign in by password",
    about:
      "Shows by which methods people may sign in; with 'passwords-off' or 'passwords-on', changes it. Passwords can be off " +
      "only while the server has a provider for single sign-on. 'confab user login-link' lets somebody in either way.",
    examples: ["confab realm login", "confab realm login passwords-off", "confab realm login passwords-on"],
    args: {
      change: operand(
        "CHANGE",
        z.enum(["passwords-on", "passwords-off"], "a change is passwords-on or passwords-off").optional(),
        "passwords-on or passwords-off",
      ),
    },
    result: shape,
    run: async (ctx, { change }) => {
      if (change !== undefined) {
        const methods = Object.entries(listLoginMethods(ctx)).map(([name, { enabled }]) => [name, enabled]);
        const authentication_methods = { ...Object.fromEntries(methods), Email: change === "passwords-on" };
        await updateRealm(ctx, { authentication_methods });
      }
      return Object.entries(listLoginMethods(ctx)).map(([method, state]) => ({ method, ...state }));
    },
    print: (methods) =>
      table(
        ["METHOD", "STATE"],
        methods.map(({ method, enabled, available }) => [
          method === "Email" ? "Email and password" : method,
          enabled ? "on" : available ? "off" : "not offered: confab.toml names no provider",
        ]),
      ),
  }),

  command({
    name: "realm two-step",
    isUnaudited: ({ change }) => change === undefined,
    summary: "Show or change whether two-step sign-in is required",
    about:
      "Shows whether people who sign in by password or link must also enter a code of an authenticator app; with 'required' or " +
      "'optional', changes it. People who have not set it up are led to it at their next sign-in; existing sessions and API keys stay.",
    examples: ["confab realm two-step", "confab realm two-step required", "confab realm two-step optional"],
    args: {
      change: operand(
        "CHANGE",
        z.enum(["required", "optional"], "a change is required or optional").optional(),
        "required or optional",
      ),
    },
    result: z.object(demandShape),
    run: async (ctx, { change }) => {
      if (change !== undefined) await demandTwoStep(ctx, change === "required");
      return demandState(ctx);
    },
    print: ({ required, people_without: count }) =>
      `Two-step sign-in is ${required ? "required" : "optional"}. ` +
      (count === 1 ? "One person has not set it up." : `${count} people have not set it up.`),
  }),
];
