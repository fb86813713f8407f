// A right click, a long press or the menu key on a channel or topic of the sidebar opens its menu.
import { type MouseEvent, useState } from "react";
import { useClient } from "../../api/client.ts";
import { useLongPress } from "../../lib/long-press.ts";
import { language, t } from "../../lib/texts.ts";
import { MenuAt } from "../../ui/menu.tsx";
import { channelItems, topicItems } from "../message/place-items.ts";

interface Pressed {
  channel: number;
  topic: string | undefined;
  at: { x: number; y: number };
}

/** Handlers for the list, and the menu that they open. */
export function usePlaceMenu() {
  const client = useClient();
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const open = (target: EventTarget, at: Pressed["at"]) => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-channel]") : null;
    if (!row || client.isVisitor) return false;
    // The menu key has no pointer position: use the row's.
    const { left, right, bottom } = row.getBoundingClientRect();
    const place = at.x > 0 ? at : { x: language.dir === "rtl" ? right - 24 : left + 24, y: bottom };
    setPressed({ channel: Number(row.dataset.channel), topic: row.dataset.topic, at: place });
    return true;
  };
  const handlers = {
    ...useLongPress(open),
    onContextMenu: (event: MouseEvent) => {
      if (event.shiftKey) return;
      if (open(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault();
    },
  };
  const items = () => {
    if (!pressed) return [];
    const { channel, topic } = pressed;
    return topic === undefined
      ? channelItems(client, channel)
      : topicItems(client, { stream_id: channel, topic });
  };
  const menu = (
    <MenuAt
      label={pressed?.topic === undefined ? t("Channel") : t("Topic")}
      at={pressed?.at ?? null}
      items={items()}
      onClose={() => setPressed(null)}
    />
  );
  return { handlers, menu };
}
