import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { hashKey, newKey } from "@/foundation/secrets/secrets.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { oneAtATime } from "@/kernel/store/per-app.ts";
import { maxTokens } from "./schema.ts";
import * as store from "./store.ts";

/** Tries to write, so that a server that nobody writes to does not stay "failing" after the cause is gone. */
export const tryWriting = operation(allow.anyone, async (ctx): Promise<void> => {
  await attempt(ctx);
});

const attempt = oneAtATime(async (ctx: Ctx) => {
  try {
    await rewrite(ctx);
  } catch {
    // The store records the reason.
  }
});

/** Writes a value that is already there. */
const rewrite = action(allow.anyone, (tx): void => {
  realmSettings.write(tx, "site", realmSettings.read(tx).site);
});

/** Makes a token by which a monitoring program reads the metrics, and nothing else. Only its hash is stored. */
export const makeToken = action(allow.admin, (tx, name: string): { token: string } => {
  const others = store.listTokens(tx);
  if (others.some((one) => one.name === name)) {
    fail("BAD_REQUEST", `There is a token '${name}' already. Revoke it first, or take another name.`);
  }
  if (others.length >= maxTokens) fail("BAD_REQUEST", `There can be at most ${maxTokens} tokens.`);
  const token = newKey();
  store.insertToken(tx, { name, hash: hashKey(token) });
  recordAudit(tx, { event: "metrics_token_made", about: { kind: "server" }, data: { name } });
  return { token };
});

export const revokeToken = action(allow.admin, (tx, name: string): void => {
  const found = store.listTokens(tx).find((one) => one.name === name);
  if (!found) fail("BAD_REQUEST", `There is no token '${name}'.`);
  store.deleteToken(tx, found.id);
  recordAudit(tx, { event: "metrics_token_revoked", about: { kind: "server" }, data: { name } });
});
