import type { Settings } from "../state/shape.ts";

/** The view that the person has chosen as their home. */
export function homeRoute(choice: Settings["web_home_view"]): { view: "feed" | "inbox" | "recent" } {
  if (choice === "all_messages") return { view: "feed" };
  return { view: choice === "recent_topics" ? "recent" : "inbox" };
}
