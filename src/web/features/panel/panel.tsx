// The panel next to a conversation: its people, and the details of its channel or person.

import { X } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useSelect } from "../../api/client.ts";
import { closePanel, isWide } from "../../lib/panes.ts";
import { t } from "../../lib/texts.ts";
import { operandOf } from "../../state/narrows.ts";
import { channelOf } from "../../state/selectors.ts";
import { IconButton } from "../../ui/button.tsx";
import { placeOfTerms, type Route } from "../../ui/routes/route.ts";
import { AboutChannel } from "./about-channel.tsx";
import { AboutPeople } from "./about-people.tsx";
import css from "./panel.module.css";
import { PeopleRows } from "./people-rows.tsx";

export function Panel({ route }: { route: Route }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // A panel that covers the view takes the focus.
    if (!isWide()) panel.current?.focus();
  }, []);
  return (
    <aside
      ref={panel}
      id="panel"
      className={css.panel}
      aria-label={t("People and details")}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        closePanel();
      }}
    >
      <IconButton className={css.close} label={t("Close")} icon={X} size="small" onClick={closePanel} />
      <Subject route={route} />
    </aside>
  );
}

function Subject({ route }: { route: Route }) {
  const terms = route.view === "messages" ? route.terms : [];
  const place = placeOfTerms(terms);
  const channel = route.view === "topics" ? route.channel : Number(operandOf(terms, "channel"));
  const isKnown = useSelect((state) => channelOf(state, channel) !== undefined);
  if (place && "user_ids" in place) return <AboutPeople userIds={place.user_ids} />;
  // The address may name a channel that does not exist.
  if (!isKnown) return <Everyone />;
  return <AboutChannel channel={channel} {...(place && { topic: place.topic })} />;
}

/** The people of the organization. */
function Everyone() {
  const users = useSelect((state) => state.users);
  const ids = useMemo(
    () =>
      Object.values(users)
        .filter(({ is_active, is_bot }) => is_active && !is_bot)
        .map(({ user_id }) => user_id),
    [users],
  );
  return (
    <>
      <header className={css.head}>
        <h2 className={css.title}>{t("People")}</h2>
      </header>
      <div className={css.scroller}>
        <section className={css.section} aria-label={t("Everyone")}>
          <PeopleRows title={t("Everyone")} ids={ids} />
        </section>
      </div>
    </>
  );
}
