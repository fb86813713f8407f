// What a channel and the home key open, as the person's settings say.
import { term } from "../../state/narrows.ts";
import type { UserSettings } from "../../state/settings.ts";
import type { State } from "../../state/state.ts";
import { isMuted } from "../../state/topics.ts";
import { placeRoute, type Route } from "./route.ts";

const choices = { topTopic: 1, feed: 2, topics: 3, topUnread: 4 };

export function channelRoute(state: State, channel: number): Route {
  const choice = state.user_settings.web_channel_default_view;
  const feed: Route = {
    view: "messages",
    terms: [term("channel", channel)],
  };
  if (choice === choices.feed) return feed;
  if (state.streams[channel]?.topics_policy === "empty_topic_only" || choice === choices.topTopic) {
    const [top] = state.topic_lists[channel] ?? [];
    if (state.streams[channel]?.topics_policy === "empty_topic_only")
      return placeRoute({ stream_id: channel, topic: "" });
    if (top) return placeRoute({ stream_id: channel, topic: top.name });
  }
  if (choice === choices.topUnread) {
    const unread = Object.values(state.unread).filter(
      ({ place }) => "stream_id" in place && place.stream_id === channel && !isMuted(state, place),
    );
    const [newest] = unread.sort((a, b) => (b.ids.at(-1) ?? 0) - (a.ids.at(-1) ?? 0));
    if (newest) return placeRoute(newest.place);
  }
  return { view: "topics", channel };
}

/** The view that the person has chosen as their home. */
export function homeRoute(choice: UserSettings["web_home_view"]): { view: "feed" | "inbox" | "recent" } {
  if (choice === "all_messages") return { view: "feed" };
  return { view: choice === "recent" ? "recent" : "inbox" };
}
