import { watched } from "../state/watched.ts";

/** The message that is being edited, or null. */
export const editedMessage = watched<number | null>(null);

/** Edits that are not saved, for when the person scrolls away from the message or leaves its conversation. */
export const unsavedEdits = new Map<number, { source: string; text: string }>();
