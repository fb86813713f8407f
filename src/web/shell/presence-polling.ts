// Periodic work: reports presence, fetches others' presence, and removes expired typing notices.
import { useEffect } from "react";
import type { ModernPresence } from "@/personal/presence/schema.ts";
import { type Client, useClient } from "../api/client.ts";
import { desktopApp } from "../lib/desktop-app.ts";

const idleAfter = 5 * 60_000;

interface Answer {
  presences?: Record<number, ModernPresence>;
  presence_last_update_id?: number;
}

export function usePresencePolling(): void {
  const client = useClient();
  useEffect(() => {
    const presence = startPresence(client);
    const typing = setInterval(() => endTyping(client), 5_000);
    const wake = () => client.retry();
    const leave = () => void client.flagging.flush();
    addEventListener("online", wake);
    addEventListener("pagehide", leave);
    return () => {
      presence();
      clearInterval(typing);
      removeEventListener("online", wake);
      removeEventListener("pagehide", leave);
    };
  }, [client]);
}

function startPresence({ api, store, queueId }: Client): () => void {
  let lastActive = Date.now();
  let lastUpdate = -1;
  const active = () => {
    lastActive = Date.now();
  };
  const ping = async () => {
    const isActive = Date.now() - Math.max(lastActive, lastActiveElsewhere()) < idleAfter;
    const params = {
      status: isActive ? "active" : "idle",
      new_user_input: isActive,
      ping_only: false,
      last_update_id: lastUpdate,
      slim_presence: true,
    };
    try {
      const answer = await api.post<Answer>("/users/me/presence", params);
      lastUpdate = answer.presence_last_update_id ?? lastUpdate;
      if (answer.presences) store.change("presence", { presences: answer.presences });
    } catch {
      // The next report will update it.
    }
  };
  const { realm_presence_disabled, server_presence_ping_interval_seconds: seconds } =
    store.get().organization;
  if (realm_presence_disabled || queueId() === null) return () => {};
  const inputs = ["keydown", "pointerdown", "pointermove", "focus"] as const;
  for (const input of inputs) addEventListener(input, active, { passive: true });
  void ping();
  const timer = setInterval(() => void ping(), seconds * 1000);
  return () => {
    clearInterval(timer);
    for (const input of inputs) removeEventListener(input, active);
  };
}

/** When the person has last used this computer, as far as the desktop application tells; in Unix milliseconds. */
function lastActiveElsewhere(): number {
  if (desktopApp?.get_idle_on_system?.() === false) return Date.now();
  return desktopApp?.get_last_active_on_system?.() ?? 0;
}

function endTyping({ store }: Client): void {
  const { typing, organization } = store.get();
  const before = Date.now() - organization.server_typing_started_expiry_period_milliseconds;
  if (typing.some(({ since }) => since < before)) store.change("client/expire", { before });
}
