import { z } from "zod";
import { typedCode } from "@/foundation/two-step/schema.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { cancelChange, endChange } from "./actions.ts";
import { answerChange, showChange } from "./pages.ts";
import { getOwnAddress } from "./queries.ts";
import { ownAddress, waitingLink } from "./schema.ts";

const open = { root: true, auth: "none", path: "/address/confirm/{key}" } as const;

export default domain({
  name: "address-changes",
  about: "changes of people's own addresses that wait for a proof",
  hooks: [
    userHooks.passwordChanged.register((tx, { userId }) => endChange(tx, userId)),
    userHooks.deactivated.register(endChange),
    userHooks.addressChanged.register(endChange),
  ],
  endpoints: [
    endpoint("get-own-address", {
      about:
        "Returns the caller's address, whether it is proved to be theirs, and the new one that waits to be confirmed. `changes_by` says what a change takes: a link mailed to the new address, the password, or that an owner makes it.",
      method: "GET",
      path: "/users/me/address",
      returns: ownAddress.shape,
      run: (ctx) => getOwnAddress(ctx),
    }),
    endpoint("cancel-address-change", {
      about: "Ends the change of the caller's address that waits to be confirmed: its link no longer works.",
      method: "DELETE",
      path: "/users/me/address",
      run: (ctx) => cancelChange(ctx),
    }),
    endpoint("get-address-confirmation", {
      about:
        "Returns the page of a link that confirms a new address; to programs, whose it is. Does not use the link.",
      ...open,
      method: "GET",
      // It counts wrong keys as guesses, which all nodes count together.
      servedBy: "leader",
      params: { key: z.string() },
      returns: waitingLink.shape,
      run: (ctx, { key }, request) => showChange(ctx, key, request),
    }),
    endpoint("confirm-address", {
      about:
        "Changes an address by the link that was mailed to the new one, which works once within a day. If the change was asked for with an API key alone, it needs a browser that is signed in to the account, or `password` (and `code`, with two-step sign-in).",
      ...open,
      method: "POST",
      params: {
        key: z.string(),
        username: z.string().optional(),
        password: z.string().optional(),
        code: typedCode.optional(),
      },
      returns: { email: z.string() },
      run: (ctx, { key, password, code }, request) => answerChange(ctx, { key, password, code, request }),
    }),
  ],
});
