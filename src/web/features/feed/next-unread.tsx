// Once a conversation is read, offers the next one with something unread, at the thumb on phones.
import { ArrowRight } from "lucide-react";
import { useClient, useSelect } from "../../api/client.ts";
import { formatKeys } from "../../lib/keys.ts";
import { parts, t } from "../../lib/texts.ts";
import { type Place, placeKey } from "../../state/places.ts";
import { placeName } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Badge } from "../../ui/badge.tsx";
import { Rich } from "../../ui/rich.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import { inboxGroups } from "../inbox/inbox.tsx";
import { placeFromKey } from "../lists/place-row.tsx";
import css from "./next-unread.module.css";

let last: { parts: readonly unknown[]; key: string | null } | null = null;

/** The first conversation of the inbox; cached until something that it depends on changes. */
function firstUnread(state: State): string | null {
  const parts = [state.unread, state.user_topics, state.subscriptions];
  if (last?.parts.every((part, i) => part === parts[i])) return last.key;
  last = { parts, key: inboxGroups(state)[0]?.keys[0] ?? null };
  return last.key;
}

export function NextUnread({ place }: { place: Place }) {
  const { store } = useClient();
  const here = placeKey(place);
  const key = useSelect((state) => (state.unread[here] ? null : firstUnread(state)));
  const name = useSelect((state) => (key === null ? "" : placeName(state, placeFromKey(state, key))));
  const count = useSelect((state) => (key === null ? 0 : (state.unread[key]?.ids.length ?? 0)));
  if (key === null) return null;
  return (
    <a
      className={css.next}
      href={linkTo(placeRoute(placeFromKey(store.get(), key)), store.get())}
      data-tip={t("Next unread conversation")}
      data-keys={formatKeys("n")}
      data-next-unread
    >
      <span className={css.words}>
        <Rich
          parts={parts("Next unread: <place>{conversation}</place>", { conversation: name })}
          place={() => (
            <bdi className={css.place}>
              <TopicName name={name} />
            </bdi>
          )}
        />
      </span>
      <Badge count={count} look="quiet" />
      <ArrowRight className={css.arrow} size={14} strokeWidth={1.5} aria-hidden="true" />
    </a>
  );
}
