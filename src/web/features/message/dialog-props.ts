import type { Message } from "../../state/messages.ts";

export type MessageDialog =
  | "move"
  | "move-topic"
  | "delete"
  | "delete-topic"
  | "history"
  | "receipts"
  | "reactions"
  | "remind"
  | "report"
  | "source";

export interface MessageDialogProps {
  message: Message;
  onClose: () => void;
}
