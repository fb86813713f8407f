import { getUser } from "@/foundation/accounts/queries.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { type KeptLine, type ServerLog, serverLogOf } from "./lines.ts";
import { isAtLeast, type LogFilter, type LogLine, type LogPage } from "./schema.ts";

/** How long an answer waits for a line to come. */
const patienceMs = 30_000;
/** After a line has come, others often follow: they go into the same answer. */
const gatherMs = 400;

/**
 * The newest lines of this process's log; with `after`, the oldest after that line. Only the process that serves has
 * any: others ask it by `GET /metrics/log`.
 */
export const readServerLog = query(allow.admin, (ctx, filter: LogFilter): LogPage => {
  const log = serverLogOf(ctx);
  const { after, limit = 100 } = filter;
  const found = log.after(after ?? 0).filter(matching(ctx, filter));
  const isCut = after !== undefined && found.length > limit;
  const lines = isCut ? found.slice(0, limit) : found.slice(-limit);
  return { lines: lines.map(presentLine), last_id: isCut ? (lines.at(-1)?.id ?? 0) : log.lastId };
});

interface Waiting {
  filter: LogFilter;
  onHangUp: (listener: () => void) => void;
}

/** The same; if there is no such line yet, waits for one, for half a minute at most. */
export const followServerLog = query(
  allow.admin,
  async (ctx, { filter, onHangUp }: Waiting): Promise<LogPage> => {
    const log = serverLogOf(ctx);
    const page = readServerLog(ctx, filter);
    if (page.lines.length > 0) return page;
    await nextLine(log, matching(ctx, filter), onHangUp);
    return readServerLog(ctx, { ...filter, after: filter.after ?? page.last_id });
  },
);

async function nextLine(
  log: ServerLog,
  isWanted: (line: KeptLine) => boolean,
  onHangUp: Waiting["onHangUp"],
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const patience = setTimeout(resolve, patienceMs);
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const unwatch = log.watch((line) => {
    if (gathering === undefined && isWanted(line)) gathering = setTimeout(resolve, gatherMs);
  });
  onHangUp(resolve);
  const forget = log.onStop(resolve);
  await promise;
  clearTimeout(patience);
  clearTimeout(gathering);
  unwatch();
  forget();
}

function matching(
  ctx: Ctx,
  { level = "info", operation: id, user_id }: LogFilter,
): (line: KeptLine) => boolean {
  const concerns = user_id === undefined ? () => true : concerning(ctx, user_id);
  return (line) =>
    isAtLeast(line.level, level) && (id === undefined || line.fields.operation === id) && concerns(line);
}

/** Whether a line is about a user: their own request, or a login that was refused to their address. */
function concerning(ctx: Ctx, user_id: number): (line: KeptLine) => boolean {
  const user = getUser(ctx, { user_id });
  const addresses = [user.email, addressOf(user)].map((address) => address.toLowerCase());
  return ({ fields }) => {
    if (fields.user_id === user_id) return true;
    return typeof fields.account === "string" && addresses.includes(fields.account.toLowerCase());
  };
}

function presentLine({ id, ms, level, event, fields }: KeptLine): LogLine {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { id, time: new Date(ms).toISOString(), level, event, fields: Object.fromEntries(given) };
}
