// Which backups a place keeps.
import type { KeepRule } from "../schema.ts";

const periods: readonly (readonly [keyof KeepRule, (at: number) => number])[] = [
  ["hours", (at) => Math.floor(at / 3600)],
  ["days", (at) => Math.floor(at / 86_400)],
  // Weeks begin on Monday; 1970 began on a Thursday.
  ["weeks", (at) => Math.floor((at / 86_400 + 3) / 7)],
];

/**
 * The newest backup of each of the last so many hours, days and weeks (UTC) that have one. Periods without a backup do not count, so
 * neither a long pause nor a clock that is set wrong deletes what is needed.
 */
export function keptBackups<B extends { created_at: number }>(all: readonly B[], keep: KeepRule): Set<B> {
  const newestFirst = all.toSorted((a, b) => b.created_at - a.created_at);
  const kept = new Set<B>(newestFirst.slice(0, 1));
  for (const [period, numberOf] of periods) {
    const seen = new Set<number>();
    for (const one of newestFirst) {
      if (seen.size === keep[period]) break;
      const number = numberOf(one.created_at);
      if (!seen.has(number)) kept.add(one);
      seen.add(number);
    }
  }
  return kept;
}
