import { type Emitted, findEventType } from "@/kernel/core/events.ts";
import type { Outbox } from "./connection.ts";

interface OutboxRow {
  id: number;
  event: string;
  audience: string;
  payload: string;
}

const everything = { upTo: Number.MAX_SAFE_INTEGER, most: -1 };

/** Keeps the events of processes without queues in a table, written in the transaction that emits them. */
export const outbox: Outbox = {
  store(tx, emitted) {
    for (const {
      event: { key },
      audience,
      payload,
    } of emitted) {
      const who = { ...audience, to: audience.to === "everyone" ? "everyone" : [...audience.to] };
      tx.run(
        "INSERT INTO outbox (event, audience, payload) VALUES (?, ?, ?)",
        key,
        JSON.stringify(who),
        JSON.stringify(payload),
      );
    }
  },
  read(db, after, { upTo, most } = everything) {
    const rows = db.all<OutboxRow>(
      "SELECT id, event, audience, payload FROM outbox WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
      after,
      upTo,
      most,
    );
    const stored = rows.flatMap(({ event: key, audience, payload }) => {
      const event = findEventType(key);
      if (!event) return [];
      const make = (): Emitted => ({ event, audience: JSON.parse(audience), payload: JSON.parse(payload) });
      return [{ event, make }];
    });
    return { stored, last: rows.at(-1)?.id ?? after };
  },
  kinds(db, after, upTo) {
    const kinds = db.all<{ event: string }>(
      "SELECT DISTINCT event FROM outbox WHERE id > ? AND id <= ?",
      after,
      upTo,
    );
    return kinds.flatMap(({ event }) => findEventType(event) ?? []);
  },
  newest(db) {
    return db.get<{ id: number | null }>("SELECT max(id) AS id FROM outbox")?.id ?? 0;
  },
  clear(tx, upTo) {
    tx.run("DELETE FROM outbox WHERE id <= ?", upTo);
  },
};
