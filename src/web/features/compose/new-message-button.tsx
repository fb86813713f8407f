// Begins a new message from a list of conversations: in the head, on phones at the thumb.
import { PenLine } from "lucide-react";
import { useClient } from "../../api/client.ts";
import { useStore } from "../../lib/observable.ts";
import { narrow } from "../../lib/panes.ts";
import { t } from "../../lib/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import css from "./new-message-button.module.css";
import { newMessage } from "./new-message-opener.tsx";

/** How many pixels of room a list leaves at its end on phones, so that the button covers none of its rows. */
export const roomForButton = 84;

/** Goes into the head of the view. */
export function NewMessageButton() {
  const { isVisitor } = useClient();
  const isNarrow = useStore(narrow);
  if (isVisitor) return null;
  const open = () => newMessage.set({});
  if (isNarrow)
    return <IconButton className={css.round} label={t("New message")} icon={PenLine} onClick={open} />;
  return (
    <Button size="small" icon={PenLine} data-keys="C" onClick={open}>
      {t("New message")}
    </Button>
  );
}
