// A right click, a long press or the menu key on a channel or topic of the sidebar opens its menu.
import { type MouseEvent, useState } from "react";
import { useClient } from "../client.ts";
import { channelItems, topicItems } from "../message/place-items.ts";
import { MenuAt } from "../ui/menu.tsx";

interface Pressed {
  channel: number;
  topic: string | undefined;
  at: { x: number; y: number };
}

/** A handler for the list, and the menu that it opens. */
export function usePlaceMenu() {
  const client = useClient();
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const onContextMenu = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-channel]") : null;
    if (!row || client.isVisitor || event.shiftKey) return;
    event.preventDefault();
    // The menu key has no pointer position: use the row's.
    const { left, bottom } = row.getBoundingClientRect();
    const at = event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: left + 24, y: bottom };
    setPressed({ channel: Number(row.dataset.channel), topic: row.dataset.topic, at });
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
      label={pressed?.topic === undefined ? "Channel" : "Topic"}
      at={pressed?.at ?? null}
      items={items()}
      onClose={() => setPressed(null)}
    />
  );
  return { onContextMenu, menu };
}
