// Signing out: first the server gets what the person has written and read, then this tab forgets it. The next person may use the same tab.
import type { Client } from "../../api/client.ts";
import { draftKeeper, saveDrafts } from "../compose/drafts.ts";
import { sendHeld } from "../compose/holding.ts";

/** Signing out waits no longer than this for messages and drafts. */
const patienceMs = 5000;

/** Rejects if the server cannot be reached; then everything stays. */
export async function signOut(client: Client): Promise<void> {
  await Promise.race([handOver(client), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  const { endSession } = await import("../notifications/subscription.ts");
  await endSession(client.api);
  sessionStorage.clear();
}

/** Sends what waits, and what was read. A message that cannot be sent becomes a draft. */
async function handOver(client: Client): Promise<void> {
  const { store, sending, flagging } = client;
  sendHeld();
  await Promise.all([sending.settled(), flagging.flush()]);
  for (const { local_id, place, content, state } of store.get().outbox) {
    if (state === "sent") continue;
    draftKeeper(client, place).takeBack(content);
    sending.discard(local_id);
  }
  await saveDrafts(client);
}
