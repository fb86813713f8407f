import { z } from "zod";
import { oneFile, theFile } from "@/foundation/files/incoming.ts";
import { pictureAnswer, pictureName } from "@/foundation/files/kept-pictures.ts";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { addEmoji, deactivateEmoji } from "./actions.ts";
import { emojiState, listEmoji } from "./queries.ts";
import { customEmojiName, emojiLimits, realmEmoji } from "./schema.ts";

const path = "/realm/emoji/{emoji_name:[^/]+}";

export default domain({
  name: "emoji",
  state: { realm_emoji: emojiState },
  endpoints: [
    endpoint("get-custom-emoji", {
      method: "GET",
      path: "/realm/emoji",
      returns: { emoji: z.record(z.string(), realmEmoji) },
      run: (ctx) => ({ emoji: listEmoji(ctx) }),
    }),
    endpoint("upload-custom-emoji", {
      method: "POST",
      path,
      body: oneFile(() => ({ mostMib: emojiLimits.fileMib })),
      params: { emoji_name: customEmojiName },
      run: async (ctx, { emoji_name: name }, { files }) => {
        await addEmoji(ctx, { name, received: theFile(files) });
        return {};
      },
    }),
    endpoint("deactivate-custom-emoji", {
      method: "DELETE",
      path,
      params: { emoji_name: z.string().max(100) },
      run: async (ctx, { emoji_name }) => {
        await deactivateEmoji(ctx, emoji_name);
        return {};
      },
    }),
    endpoint("get-emoji-picture", {
      method: "GET",
      path: `/user_avatars/{realm:[0-9]+}/emoji/images/{picture:${pictureName}}`,
      root: true,
      auth: "none",
      params: { realm: z.string(), picture: z.string() },
      run: (ctx, { picture }, request) => pictureAnswer(ctx, picture, request),
    }),
  ],
});
