import { z } from "zod";
import { recoveryCodes, typedCode } from "@/foundation/two-step/schema.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { userId } from "@/foundation/users/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import {
  endOldSessions,
  endOtherSessions,
  endSession,
  endSessionsFor,
  endSessionsOf,
  signOut,
} from "./actions.ts";
import { makeHandover } from "./actions-handovers.ts";
import { answerTrade, arriveHere } from "./handover-page.ts";
import { enterByLink, showLink } from "./link-page.ts";
import { listSessions, listSessionsOf } from "./queries.ts";
import {
  arrivalPath,
  chosenToken,
  fragment,
  handoverPath,
  sessionId,
  sessionShape,
  takenAlong,
} from "./schema.ts";
import { receiveSeen, saveSeen } from "./seen.ts";
import { sweep } from "./sweep.ts";

export default domain({
  name: "sessions",
  about: "browsers that are signed in: their cookies, what ends them, the token against forged requests",
  hooks: [
    userHooks.deactivated.register(endSessionsOf),
    userHooks.passwordChanged.register(endOldSessions),
    receiveSeen,
  ],
  jobs: [
    { name: "sessions-seen", everySeconds: 60, onEachNode: true, run: saveSeen },
    { name: "sessions-ended", everySeconds: 3600, run: sweep },
  ],
  endpoints: [
    endpoint("get-login-link", {
      about:
        "Returns the page of a link that signs its user in; to programs, the user's name. Does not use the link.",
      method: "GET",
      path: "/login/link/{key}",
      // It counts wrong keys as guesses, which all nodes count together.
      servedBy: "leader",
      root: true,
      auth: "none",
      params: { key: z.string() },
      returns: { full_name: z.string() },
      run: (ctx, { key }, request) => showLink(ctx, key, request),
    }),
    endpoint("follow-login-link", {
      about:
        "Signs a browser in by a link, which works once within an hour. With two-step sign-in, it needs `code`, as `sign-in` does.",
      method: "POST",
      path: "/login/link/{key}",
      root: true,
      auth: "none",
      params: { key: z.string(), code: typedCode.optional() },
      returns: { user_id: z.int(), recovery_codes: recoveryCodes.optional() },
      run: (ctx, { key, code }, request) => enterByLink(ctx, { key, code, request }),
    }),
    endpoint("make-handover", {
      about:
        "For a page of a cluster's node that was opened at the node's own address: makes a secret by which the page goes to another node, once, if this one dies. It holds as long as the session.",
      method: "POST",
      path: "/users/me/sessions/handovers",
      isUnattended: true,
      returns: { secret: z.string() },
      run: async (ctx, _, request) => ({ secret: await makeHandover(ctx, request) }),
    }),
    endpoint("follow-handover", {
      about:
        "For a page whose node does not answer: lets the browser go on with its session at the cluster's other nodes, by the page's secret. From then on, `token`, which the page chooses, is another token of the session. The same request may be repeated, at any node. Only pages of the cluster's nodes may ask, and read the answer.",
      method: "POST",
      path: handoverPath,
      root: true,
      auth: "none",
      params: { secret: z.string().max(128), token: chosenToken },
      run: (ctx, trade, request) => answerTrade(ctx, { ...trade, request }),
    }),
    endpoint("arrive", {
      about:
        "Signs a browser in by such a token, which a page of another node sends by a form. Returns a page that keeps `kept`, what was being written, in the browser, and leads to `fragment` in the client.",
      method: "POST",
      path: arrivalPath,
      servedBy: "here",
      root: true,
      auth: "none",
      params: { token: chosenToken, fragment, kept: takenAlong },
      run: (ctx, arriving, request) => arriveHere(ctx, arriving, request),
    }),
    endpoint("sign-out", {
      about:
        "Ends the session of the request and removes its cookies. The one by which the browser is known stays.",
      method: "POST",
      path: "/logout",
      root: true,
      run: (ctx, _, request) => signOut(ctx, request),
    }),
    endpoint("get-sessions", {
      about: "Lists the browsers in which the caller is signed in.",
      method: "GET",
      path: "/users/me/sessions",
      returns: { sessions: z.array(sessionShape) },
      run: (ctx, _, request) => ({ sessions: listSessions(ctx, request) }),
    }),
    endpoint("end-session", {
      about: "Signs one of the caller's browsers out.",
      method: "DELETE",
      path: "/users/me/sessions/{session_id:[0-9]+}",
      params: { session_id: sessionId },
      run: (ctx, { session_id }) => endSession(ctx, session_id),
    }),
    endpoint("end-other-sessions", {
      about: "Signs the caller out in all browsers except the one that made the request.",
      method: "DELETE",
      path: "/users/me/sessions",
      returns: { ended: z.int() },
      keeps: "results",
      run: async (ctx, _, request) => ({ ended: await endOtherSessions(ctx, request) }),
    }),
    endpoint("get-user-sessions", {
      about:
        "Lists the browsers in which another person is signed in. Administrators only; of owners, owners only.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/sessions",
      params: { user_id: userId },
      returns: { sessions: z.array(sessionShape) },
      run: (ctx, { user_id }) => ({ sessions: listSessionsOf(ctx, user_id) }),
    }),
    endpoint("end-user-session", {
      about:
        "Signs another person out in one of their browsers. Administrators only; of owners, owners only.",
      method: "DELETE",
      path: "/users/{user_id:[0-9]+}/sessions/{session_id:[0-9]+}",
      params: { user_id: userId, session_id: sessionId },
      run: async (ctx, { user_id, session_id: id }) => {
        await endSessionsFor(ctx, { user_id, id });
      },
    }),
    endpoint("end-user-sessions", {
      about:
        "Signs another person out in all their browsers. Returns how many there were. Administrators only; of owners, owners only.",
      method: "DELETE",
      path: "/users/{user_id:[0-9]+}/sessions",
      params: { user_id: userId },
      returns: { ended: z.int() },
      keeps: "results",
      run: async (ctx, { user_id }) => ({ ended: await endSessionsFor(ctx, { user_id }) }),
    }),
  ],
});
