import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import {
  beginTwoStep,
  confirmTwoStep,
  demandTwoStep,
  endTwoStep,
  renewRecoveryCodes,
  resetTwoStep,
} from "./actions.ts";
import { demandState, isOnFor, ownState } from "./queries.ts";
import { demandShape, ownTwoStep, recoveryCodes, setUpShape, typedCode } from "./schema.ts";

const path = "/users/me/two_step";

export default domain({
  name: "two-step",
  about: "a code of an authenticator app after the password, and recovery codes",
  endpoints: [
    endpoint("get-two-step", {
      about: "Returns whether the caller uses two-step sign-in, and how many recovery codes are left.",
      method: "GET",
      path,
      returns: ownTwoStep,
      run: (ctx) => ownState(ctx),
    }),
    endpoint("begin-two-step", {
      about:
        "Begins to set two-step sign-in up for the caller: returns a new secret for an authenticator app. It is on once `confirm-two-step` has got a code.",
      method: "POST",
      path,
      params: { password: z.string().max(100, "Wrong password!").optional() },
      returns: setUpShape,
      run: (ctx, { password }) => beginTwoStep(ctx, password),
    }),
    endpoint("confirm-two-step", {
      about:
        "Turns two-step sign-in on for the caller, whose app shows this code. Returns the recovery codes, which are not shown again.",
      method: "POST",
      path: `${path}/confirm`,
      params: { code: typedCode },
      returns: { recovery_codes: recoveryCodes },
      run: async (ctx, { code }) => ({
        recovery_codes: await confirmTwoStep(ctx, code),
      }),
    }),
    endpoint("end-two-step", {
      about: "Turns two-step sign-in off for the caller; takes a code of the app or a recovery code.",
      method: "DELETE",
      path,
      params: { code: typedCode },
      run: (ctx, { code }) => endTwoStep(ctx, code),
    }),
    endpoint("renew-recovery-codes", {
      about: "Replaces the caller's recovery codes; takes a code of the app or a recovery code.",
      method: "POST",
      path: `${path}/recovery_codes`,
      params: { code: typedCode },
      returns: { recovery_codes: recoveryCodes },
      run: async (ctx, { code }) => ({
        recovery_codes: await renewRecoveryCodes(ctx, code),
      }),
    }),
    endpoint("get-user-two-step", {
      about: "Returns whether a person uses two-step sign-in. Administrators only.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/two_step",
      params: { user_id: userId },
      returns: { is_on: z.boolean() },
      run: (ctx, { user_id }) => ({ is_on: isOnFor(ctx, user_id) }),
    }),
    endpoint("reset-two-step", {
      about:
        "Turns two-step sign-in off for a person who has lost their app and recovery codes. Administrators only; of owners, owners only.",
      method: "DELETE",
      path: "/users/{user_id:[0-9]+}/two_step",
      params: { user_id: userId },
      run: (ctx, { user_id }) => resetTwoStep(ctx, user_id),
    }),
    endpoint("get-two-step-demand", {
      about:
        "Returns whether the organization demands two-step sign-in, and how many people have not set it up. Administrators only.",
      method: "GET",
      path: "/realm/two_step",
      returns: demandShape,
      run: (ctx) => demandState(ctx),
    }),
    endpoint("set-two-step-demand", {
      about:
        "Sets whether people who sign in by password or link must use two-step sign-in. Those without it set it up at their next sign-in. Owners only.",
      method: "PATCH",
      path: "/realm/two_step",
      params: { required: z.boolean() },
      run: (ctx, { required }) => demandTwoStep(ctx, required),
    }),
  ],
});
