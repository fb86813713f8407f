import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { choosing, operand, operands } from "../args.ts";
import { otherServer, standalone } from "../command.ts";
import { checkOrganization, openApp } from "../organization.ts";

const methods = ["GET", "POST", "PATCH", "DELETE", "PUT"] as const;
const method = z
  .string()
  .toUpperCase()
  .pipe(z.enum(methods, `one of ${methods.join(", ")}`));
const pair = z.string().regex(/^[\w.]+=/, "parameters must be key=value, such as num_before=10");

interface Answered {
  status: number;
  body: unknown;
}

export default [
  standalone({
    name: "api",
    summary: "Call any endpoint of the API, as a user",
    about:
      "Calls an endpoint of the API inside this process or at a remote server, as the first active owner or --as EMAIL, and prints what it " +
      "returns. Values are sent as typed: lists and objects in JSON. Event queues exist only in the server.",
    examples: [
      "confab api GET /users/me",
      `confab api GET /messages anchor=newest num_before=5 'narrow=[{"operator":"channel","operand":"design"}]'`,
      "confab api PATCH /realm name=Crew --as ada@example.com",
    ],
    actsAs: true,
    runsRemotely: true,
    args: {
      method: choosing(operand("METHOD", method, methods.join(", ")), methods),
      path: operand(
        "PATH",
        z.string().regex(/^\/[^?#\s]*$/, "a path below /api/v1, such as /users/me"),
        "below /api/v1",
      ),
      params: operands("KEY=VALUE", z.array(pair).default([]), "its parameters"),
    },
    result: z.unknown(),
    async run(call, { method, path, params }) {
      if (method === "POST" && /^\/register\/?$/.test(path)) fail("BAD_REQUEST", nobodyPolls);
      const { dataDir, as, show } = call;
      const server = await otherServer(call);
      if (server) {
        const { url, init } = partsOf(method, path, params);
        const { ok, status, body } = await server.send(url, { init });
        await show({ status, body });
        if (!ok) fail("BAD_REQUEST", `the response has status ${status}.`);
        return;
      }
      await checkOrganization(dataDir);
      const { operator } = await import("@/foundation/accounts/queries.ts");
      let userId = 0;
      const app = await openApp(dataDir, { authenticate: () => ({ userId }) });
      try {
        userId = operator(app.system, as).id;
        const answer = await app.fetch(requestOf(method, path, params));
        const text = await answer.text();
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        await show({ status: answer.status, body: isJson ? JSON.parse(text) : text });
        if (answer.status >= 400) fail("BAD_REQUEST", `the response has status ${answer.status}.`);
      } finally {
        await app.close();
      }
    },
    json: ({ body }: Answered) => body,
    print: ({ body }: Answered) => (typeof body === "string" ? body : JSON.stringify(body, null, 2)),
  }),
];

const nobodyPolls =
  "A queue that this command opened would be polled by nobody: register from a client that stays, and see the queues there " +
  "are with 'confab queue list'.";

/** Asks inside this process; the user is known already. */
function requestOf(method: string, path: string, params: readonly string[]): Request {
  const { url, init } = partsOf(method, path, params);
  // The header only keeps endpoints that also work without an account from treating this as anonymous.
  const headers = { ...init.headers, "user-agent": "confab/1", authorization: "Basic" };
  return new Request(`http://localhost${url}`, { ...init, headers });
}

interface Parts {
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
}

function partsOf(method: string, path: string, params: readonly string[]): Parts {
  const form = new URLSearchParams();
  for (const given of params) {
    const at = given.indexOf("=");
    form.append(given.slice(0, at), given.slice(at + 1));
  }
  const text = form.toString();
  const url = `/api/v1${path}`;
  if (method === "GET") return { url: text === "" ? url : `${url}?${text}`, init: { method, headers: {} } };
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(Buffer.byteLength(text)),
  };
  return { url, init: { method, headers, body: text } };
}
