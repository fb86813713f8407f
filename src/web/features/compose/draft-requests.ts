// The requests by which a conversation's draft is saved.
import type { Client } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { Place } from "../../state/message-shape.ts";

export function requestsFor({ api }: Client, place: Place) {
  const draftOf = (content: string) => ({
    type: "user_ids" in place ? "private" : "stream",
    to: "user_ids" in place ? place.user_ids : [place.stream_id],
    topic: "user_ids" in place ? "" : place.topic,
    content,
    timestamp: Math.floor(Date.now() / 1000),
  });
  const isMissing = (error: unknown) => error instanceof Refusal && error.status === 404;
  return {
    /** Returns the draft's ID. */
    create: async (content: string): Promise<number | null> => {
      const { ids } = await api.post<{ ids: number[] }>("/drafts", { drafts: [draftOf(content)] });
      return ids[0] ?? null;
    },
    /** Returns whether the draft still exists. */
    replace: (id: number, content: string): Promise<boolean> =>
      api.patch(`/drafts/${id}`, { draft: draftOf(content) }).then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      ),
    remove: async (id: number): Promise<void> => {
      await api.delete(`/drafts/${id}`).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
  };
}
