import type { Message } from "../state/message-shape.ts";

export type MessageDialog =
  | "move"
  | "delete"
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
