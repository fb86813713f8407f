import type * as schema from "@/places/folders/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";

interface Folders {
  channel_folders: readonly schema.Folder[];
}

export const folders: StateNoun<Folders, Folders, EventsOf<typeof schema>> = {
  takes: ["channel_folders"],
  initial: ({ channel_folders }) => ({ channel_folders }),
  reducers: {
    "channel_folder/add": (state, { channel_folder }) => ({
      ...state,
      channel_folders: [...state.channel_folders, channel_folder],
    }),
    "channel_folder/update": (state, { channel_folder_id, data }) => ({
      ...state,
      channel_folders: state.channel_folders.map((one) =>
        one.id === channel_folder_id ? { ...one, ...data } : one,
      ),
    }),
    "channel_folder/reorder": (state, { order }) => ({
      ...state,
      channel_folders: state.channel_folders
        .map((one) => ({ ...one, order: order.indexOf(one.id) }))
        .sort((a, b) => a.order - b.order),
    }),
  },
};
