// The pairs of folders that import each other, and why they are not one folder, nor a third below them. Folders are modules: take
// a pair apart rather than adding one.

export const pairs: Readonly<Record<string, string>> = {
  "src/places/channel-administration ⇄ src/places/subscriptions":
    "a new channel gets its first subscribers, and subscribing to a name that no channel has creates one",
  "src/places/channels ⇄ src/places/subscriptions":
    "who sees a channel depends on who is in it, and who may be in it depends on the channel",
};
