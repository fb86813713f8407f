import type { Message } from "../../state/messages.ts";

export type MessageDialog =
  | "move"
  | "move-topic"
  | "delete"
  | "delete-topic"
  | "history"
  | "receipts"
  | "react"
  | "reactions"
  | "remind"
  | "report"
  | "source"
  | "text";

export interface MessageDialogProps {
  message: Message;
  onClose: () => void;
}
