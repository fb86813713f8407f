import type { Outbox } from "./connection.ts";
import { declaredEvent, type Emitted } from "./events.ts";

interface OutboxRow {
  id: number;
  event: string;
  audience: string;
  payload: string;
}

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
  read(db, after) {
    const rows = db.all<OutboxRow>(
      "SELECT id, event, audience, payload FROM outbox WHERE id > ? ORDER BY id",
      after,
    );
    const stored = rows.flatMap(({ event: key, audience, payload }) => {
      const event = declaredEvent(key);
      if (!event) return [];
      const make = (): Emitted => ({ event, audience: JSON.parse(audience), payload: JSON.parse(payload) });
      return [{ event, make }];
    });
    return { stored, last: rows.at(-1)?.id ?? after };
  },
  newest(db) {
    return db.get<{ id: number | null }>("SELECT max(id) AS id FROM outbox")?.id ?? 0;
  },
  clear(tx, upTo) {
    tx.run("DELETE FROM outbox WHERE id <= ?", upTo);
  },
};
