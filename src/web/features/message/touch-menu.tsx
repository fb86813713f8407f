// On touch screens a long press opens a message's menu, with reactions first; a right click does the same.
import { type MouseEvent, useState } from "react";
import { useClient } from "../../api/client.ts";
import { useLongPress } from "../../lib/long-press.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import type { Term } from "../../state/narrows.ts";
import { MenuAt } from "../../ui/menu.tsx";
import { messageItems, reactionItems } from "./message-items.ts";

interface Pressed {
  message: Message;
  at: { x: number; y: number };
}

/** Handlers for the list of messages, and the menu that they open. */
export function useTouchMenu(terms: readonly Term[]) {
  const client = useClient();
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const open = (target: EventTarget, at: Pressed["at"]) => {
    if (!(target instanceof Element) || target.closest("a, textarea, input, img, video, audio")) return false;
    const row = target.closest<HTMLElement>("[data-message]");
    const message = client.store.get().messages[Number(row?.dataset.message)];
    if (message) setPressed({ message, at });
    return message !== undefined;
  };
  const handlers = {
    ...useLongPress(open),
    onContextMenu: (event: MouseEvent) => {
      if (!getSelection()?.isCollapsed) return;
      if (open(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault();
    },
  };
  const itemsFor = (id: number) => {
    const message = client.store.get().messages[id];
    if (!message) return [];
    const reactions = client.isVisitor ? [] : reactionItems(client, message);
    return [...reactions, ...messageItems(client, message, terms)];
  };
  const menu = (
    <MenuAt
      label={t("Message|noun")}
      at={pressed?.at ?? null}
      items={pressed ? itemsFor(pressed.message.id) : []}
      onClose={() => setPressed(null)}
    />
  );
  return { handlers, menu };
}
