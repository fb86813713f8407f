// Part of `npm run test:replay`: runs every request whose endpoint keeps results once more, with the results of its writes in place of
// the writes, as the next leader of a cluster does for one that has died. It must answer the same, or that it cannot.
import { domains } from "@/domains.ts";
import type { Endpoint } from "@/kernel/http/endpoint.ts";
import { runOnce } from "@/kernel/http/forwarding-runs.ts";
import { SqliteDb } from "@/kernel/store/db.ts";
import {
  createUnsureError,
  type ForwardedRequest,
  findForwardedRequest,
  type MadeWrite,
  serveFor,
  toMadeWrite,
} from "@/kernel/store/forwarded-requests.ts";

export const resumed = { same: 0, unanswered: new Map<string, number>(), faults: [] as string[] };

const records = new WeakMap<ForwardedRequest, MadeWrite[]>();
const { write } = SqliteDb.prototype;

SqliteDb.prototype.write = function (ctx, body, isRepeatable) {
  const passed = findForwardedRequest();
  const record = passed && records.get(passed);
  if (!passed || !record) return write.call(this, ctx, body, isRepeatable) as never;
  const n = passed.begun++;
  if (passed.done.length > 0) {
    return n < passed.done.length
      ? Promise.resolve(passed.done[n] as never)
      : Promise.reject(createUnsureError());
  }
  const made = write.call(this, ctx, body, isRepeatable) as Promise<never>;
  made.then(
    (result) => record.push(toMadeWrite(passed, n, result)),
    () => {},
  );
  return made;
};

/** As a node of a cluster gets it from another. */
const sent = (result: unknown) => (result === undefined ? undefined : JSON.parse(JSON.stringify(result)));

function resuming(endpoint: Endpoint): Endpoint["run"] {
  const { run, id } = endpoint;
  return async (ctx, params, request) => {
    // A node's writes are in its log, which answers for the term in which they were made.
    if (ctx.env.db instanceof SqliteDb && ctx.env.db.replica) return run(ctx, params, request);
    const record: MadeWrite[] = [];
    const recorded = (done: unknown[], work: () => ReturnType<Endpoint["run"]>) =>
      serveFor({ id: "audited", term: 0, done }, () => {
        const passed = findForwardedRequest();
        if (passed) records.set(passed, record);
        return runOnce({ endpoint, run: work, cookies: [] });
      });
    const answer = await recorded([], () => run(ctx, params, request));
    const inOrder = record.toSorted(([, one], [, other]) => one - other);
    if (inOrder.length === 0 || inOrder.some(([, n], at) => n !== at)) return answer as never;
    const done = inOrder.map(([, , result]) => sent(result));
    try {
      const again = await recorded(done, () => run(ctx, params, { ...request, warn() {}, setCookie() {} }));
      if (Bun.deepEquals(again, answer)) resumed.same++;
      else
        resumed.faults.push(
          `Run again, ${id} answered ${JSON.stringify(again)}, not ${JSON.stringify(answer)}`,
        );
    } catch {
      resumed.unanswered.set(id, (resumed.unanswered.get(id) ?? 0) + 1);
    }
    return answer as never;
  };
}

for (const { endpoints = [] } of domains) {
  for (const one of endpoints) {
    if (one.servedBy === "leader" && one.keeps === "results") Object.assign(one, { run: resuming(one) });
  }
}
