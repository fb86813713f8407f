// The panel beside a conversation: its people, and the details of its channel or person.
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useClient } from "../client.ts";
import { placeOfTerms, type Route } from "../routes/route.ts";
import { isWide, setPanel } from "../shell/panes.ts";
import { IconButton } from "../ui/button.tsx";
import { AboutChannel } from "./about-channel.tsx";
import { AboutPeople } from "./about-people.tsx";
import { Everyone } from "./everyone.tsx";
import css from "./panel.module.css";

export function Panel({ route }: { route: Route }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // A panel that covers the view takes the focus.
    if (!isWide()) panel.current?.focus();
  }, []);
  const close = () => {
    setPanel(false);
    document.querySelector<HTMLElement>("[data-panel-button]")?.focus();
  };
  return (
    <aside
      ref={panel}
      id="panel"
      className={css.panel}
      aria-label="People and details"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      <IconButton className={css.close} label="Close" icon={X} size="small" onClick={close} />
      <Subject route={route} />
    </aside>
  );
}

function Subject({ route }: { route: Route }) {
  const { store } = useClient();
  if (route.view === "topics") return <AboutChannel channel={route.channel} />;
  if (route.view !== "messages") return <Everyone />;
  const place = placeOfTerms(route.terms);
  if (place && "user_ids" in place) return <AboutPeople userIds={place.user_ids} />;
  if (place) return <AboutChannel channel={place.stream_id} topic={place.topic} />;
  const channel = Number(
    route.terms.find(({ operator, negated }) => operator === "channel" && !negated)?.operand,
  );
  return store.get().streams[channel] ? <AboutChannel channel={channel} /> : <Everyone />;
}
