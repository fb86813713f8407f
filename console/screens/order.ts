// Moving a row up and down, on screens whose rows the organization orders.
import type { Ctx } from "@/kernel/core/context.ts";
import type { RowAction } from "../screen.ts";

interface Ordered<R> {
  ids: (ctx: Ctx) => number[];
  id: (row: R) => number;
  reorder: (ctx: Ctx, order: readonly number[]) => Promise<unknown>;
}

export function moveActions<R>({ ids, id, reorder }: Ordered<R>): RowAction<R>[] {
  const rowAction = (key: string, title: string, by: number): RowAction<R> => ({
    key,
    title: () => title,
    async run(ctx, row) {
      const before = ids(ctx);
      const from = before.indexOf(id(row));
      const to = Math.max(0, Math.min(from + by, before.length - 1));
      if (from < 0 || to === from) return { message: "It is already there." };
      await reorder(ctx, before.toSpliced(from, 1).toSpliced(to, 0, id(row)));
      return { message: `Moved ${title}.`, undo: (now) => reorder(now, before) };
    },
  });
  return [rowAction("K", "up", -1), rowAction("J", "down", 1)];
}
