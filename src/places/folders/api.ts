import { z } from "zod";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { folderId } from "@/places/channels/schema.ts";
import { createFolder, reorderFolders, updateFolder } from "./actions.ts";
import { listFolders } from "./queries.ts";
import { folder, folderOrder, folderPatch, newFolder } from "./schema.ts";

export default domain({
  name: "folders",
  about: "channel folders and their order",
  state: {
    channel_folders: forSpectators((ctx) => ({
      channel_folders: listFolders(ctx, { include_archived: true }),
    })),
  },
  endpoints: [
    endpoint("get-channel-folders", {
      about: "Lists the channel folders in order. Includes archived ones only with `include_archived`.",
      method: "GET",
      path: "/channel_folders",
      params: { include_archived: z.boolean().default(false) },
      returns: { channel_folders: z.array(folder) },
      run: (ctx, params) => ({ channel_folders: listFolders(ctx, params) }),
    }),
    endpoint("create-channel-folder", {
      about:
        "Creates a channel folder, last in the order. Administrators only. Names are unique, ignoring case.",
      method: "POST",
      path: "/channel_folders/create",
      params: newFolder.shape,
      returns: { channel_folder_id: folderId },
      keeps: "results",
      run: async (ctx, params) => ({ channel_folder_id: (await createFolder(ctx, params)).id }),
    }),
    endpoint("update-channel-folder", {
      about:
        "Renames, describes, archives or restores a channel folder. Administrators only; a folder that still holds channels cannot be archived.",
      method: "PATCH",
      path: "/channel_folders/{channel_folder_id:[0-9]+}",
      params: folderPatch.shape,
      run: async (ctx, params) => {
        await updateFolder(ctx, params);
      },
    }),
    endpoint("patch-channel-folders", {
      about:
        "Reorders the channel folders. The order must contain each of them exactly once. Administrators only.",
      method: "PATCH",
      path: "/channel_folders",
      params: { order: folderOrder },
      run: (ctx, { order }) => reorderFolders(ctx, order),
    }),
  ],
});
