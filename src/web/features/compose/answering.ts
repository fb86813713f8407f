import { watched } from "../../lib/watched.ts";
import type { Place } from "../../state/message-shape.ts";

/** In a view of several conversations, the one that the composer is open for; null if it is closed. */
export const answeredPlace = watched<Place | null>(null);

/** What the dialog that asks where a new message goes starts with; null while it is closed. */
export const newMessage = watched<{ channel?: number; toPeople?: boolean } | null>(null);
