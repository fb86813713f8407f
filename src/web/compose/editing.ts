import { watched } from "../state/watched.ts";

/** The message whose text is being changed; null if none is. */
export const editedMessage = watched<number | null>(null);
