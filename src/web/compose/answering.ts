import type { Place } from "../state/message-shape.ts";
import { watched } from "../state/watched.ts";

/** In a view of several conversations: the one that is being answered; null if none is. */
export const answeredPlace = watched<Place | null>(null);

/** What a new message starts with, while the person chooses where it goes; null while nobody does. */
export const newMessage = watched<{ channel?: number; toPeople?: boolean } | null>(null);
