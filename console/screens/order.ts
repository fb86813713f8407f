// Moving a row up and down, on screens whose order is the organization's.
import type { Ctx } from "@/kernel/context.ts";
import type { Deed } from "../screen.ts";

interface Ordered<R> {
  ids: (ctx: Ctx) => number[];
  id: (row: R) => number;
  reorder: (ctx: Ctx, order: readonly number[]) => Promise<unknown>;
}

export function moveDeeds<R>({ ids, id, reorder }: Ordered<R>): Deed<R>[] {
  const deed = (key: string, title: string, by: number): Deed<R> => ({
    key,
    title: () => title,
    async run(ctx, row) {
      const before = ids(ctx);
      const from = before.indexOf(id(row));
      const to = Math.max(0, Math.min(from + by, before.length - 1));
      if (from < 0 || to === from) return { said: "It is there already." };
      await reorder(ctx, before.toSpliced(from, 1).toSpliced(to, 0, id(row)));
      return { said: `Moved ${title}.`, undo: (now) => reorder(now, before) };
    },
  });
  return [deed("K", "up", -1), deed("J", "down", 1)];
}
