/** SQL: the bytes of text in a row. */
export const bytesOfEdit = "IFNULL(octet_length(prev_content) + octet_length(prev_rendered), 0)";

/** A change that is about to be made to messages. Null leaves a property unchanged. */
export interface HistoryChange {
  /** The message among them whose content changes. */
  rewritten: number | null;
  topic: string | null;
  channel: { from: number; to: number } | null;
}
