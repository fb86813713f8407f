// In narrow windows one pane is on screen at a time.
import { watched } from "../state/watched.ts";

/** Whether a narrow window shows the sidebar rather than the view. */
export const showSidebar = watched(false);
