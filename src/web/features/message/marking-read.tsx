// Marks conversations as read: asks first where there are several, and offers to undo it.
import type { Client } from "../../api/client.ts";
import { readingPaused } from "../../api/flagging.ts";
import { createStore, useStore } from "../../lib/observable.ts";
import { t } from "../../lib/texts.ts";
import { narrowKey, type Term } from "../../state/narrows.ts";
import { placeKey } from "../../state/places.ts";
import type { State } from "../../state/state.ts";
import { isMuted } from "../../state/topics.ts";
import type { Unread } from "../../state/unread.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { placeOfTerms } from "../../ui/routes/route.ts";
import { showToast } from "../../ui/toasts.tsx";

const Confirm = onDemand(async () => (await import("../../ui/dialog.tsx")).Confirm);

interface Question {
  conversations: number;
  messages: number;
  mark: () => Promise<void>;
}

const asked = createStore<Question | null>(null);

/** What is unread in a view, by conversation; of searches, what is loaded. */
function unreadIn(state: State, terms: readonly Term[]): Unread[] {
  const place = placeOfTerms(terms);
  const all = Object.values(state.unread);
  if (place) return all.filter((one) => placeKey(one.place) === placeKey(place));
  const [first, ...others] = terms;
  if (!first) return all;
  const { operator, operand, negated } = first;
  const name = others.length > 0 || negated ? "" : `${operator}:${operator === "channel" ? "" : operand}`;
  if (name === "channel:")
    return all.filter((one) => "stream_id" in one.place && one.place.stream_id === Number(operand));
  if (name === "in:home") return all.filter((one) => !isMuted(state, one.place));
  if (name === "is:dm") return all.filter((one) => "user_ids" in one.place);
  const shown = new Set(state.windows[narrowKey(terms)]?.ids);
  return all
    .map((one) => ({
      ...one,
      ids: name === "is:mentioned" ? one.mentions : one.ids.filter((id) => shown.has(id)),
    }))
    .filter(({ ids }) => ids.length > 0);
}

export function markRead({ store, flagging }: Client, terms: readonly Term[]): void {
  const { max_message_id } = store.get();
  const unread = unreadIn(store.get(), terms);
  const ids = unread.flatMap((one) => one.ids);
  const mark = async () => {
    const isDone = await flagging.markReadUntil(terms, max_message_id);
    if (!isDone || ids.length === 0) return;
    const undo = () => {
      // What is on screen would be read again at once.
      if (document.querySelector("[data-feed]")) readingPaused.set(true);
      void flagging.markUnread(ids);
    };
    showToast({
      text: t("{count, plural, one {Marked # message as read.} other {Marked # messages as read.}}", {
        count: ids.length,
      }),
      milliseconds: 12_000,
      action: { label: t("Undo"), run: undo },
    });
  };
  if (unread.length > 1) asked.set({ conversations: unread.length, messages: ids.length, mark });
  else void mark();
}

/** Mount it once. */
export function MarkReadDialog() {
  const question = useStore(asked);
  if (!question) return null;
  return (
    <Confirm
      title={t("{count, plural, one {Mark # conversation as read?} other {Mark # conversations as read?}}", {
        count: question.conversations,
      })}
      action={t("Mark as read")}
      onClose={() => asked.set(null)}
      onConfirm={() => void question.mark()}
    >
      <p>
        {t("{count, plural, one {# message is unread there.} other {# messages are unread there.}}", {
          count: question.messages,
        })}
      </p>
    </Confirm>
  );
}
