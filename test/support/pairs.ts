// The pairs of folders that import each other, and why they are not one folder, nor a third below them. Folders are modules: take
// a pair apart rather than adding one.

export const pairs: Readonly<Record<string, string>> = {
  "src/messaging/muted-users ⇄ src/messaging/receipts":
    "a message of a muted user arrives read, and muting somebody marks their messages as read",
  "src/places/channels ⇄ src/places/default-channels":
    "creating, changing and archiving a channel decides whether it is a default one, which only some channels can be",
  "src/places/channels ⇄ src/places/folders":
    "a channel is put in a folder, and who sees a folder depends on its channels",
  "src/places/channels ⇄ src/places/subscriptions":
    "who sees a channel depends on who is in it, and who may be in it on the channel; subscribing to a new name creates a channel",
  "src/places/channels ⇄ src/places/user-topics":
    "archiving a channel tells those who follow its topics, who must see the channel",
};
