import { watched } from "../state/watched.ts";

/** The message that is being edited, or null. */
export const editedMessage = watched<number | null>(null);
