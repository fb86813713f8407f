import { z } from "zod";
import { oneFile, theFile } from "@/foundation/files/incoming.ts";
import { pictureAnswer, pictureName } from "@/foundation/files/kept-pictures.ts";
import { early, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { emojiData } from "@/text/emoji/emoji-data.ts";
import { addEmoji, deactivateEmoji } from "./actions.ts";
import { extraPicture, extraPicturePath } from "./extra.ts";
import { emojiState, listEmoji } from "./queries.ts";
import { customEmojiName, emojiLimits, realmEmoji } from "./schema.ts";

/** Headers of answers that pages of other sites may use too. */
const open = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "cross-origin" };
const path = "/realm/emoji/{emoji_name:[^/]+}";

export default domain({
  name: "emoji",
  about: "the organization's own emoji and the server's; what a name or code of an emoji means",
  state: { realm_emoji: forSpectators(early(emojiState)) },
  endpoints: [
    endpoint("get-custom-emoji", {
      about: "Lists the organization's own emoji by ID, deactivated ones included.",
      method: "GET",
      path: "/realm/emoji",
      returns: { emoji: z.record(z.string(), realmEmoji) },
      run: (ctx) => ({ emoji: listEmoji(ctx) }),
    }),
    endpoint("upload-custom-emoji", {
      about:
        "Adds an emoji from a picture, which is scaled to 64 by 64 pixels. Only administrators can override the name of a Unicode emoji.",
      method: "POST",
      path,
      body: oneFile(() => ({ maxMib: emojiLimits.fileMib })),
      params: { emoji_name: customEmojiName },
      run: (ctx, { emoji_name: name }, { files }) => addEmoji(ctx, { name, received: theFile(files) }),
    }),
    endpoint("deactivate-custom-emoji", {
      about: "Deactivates an emoji. Messages and reactions that have it keep it.",
      method: "DELETE",
      path,
      params: { emoji_name: z.string().max(100) },
      run: (ctx, { emoji_name }) => deactivateEmoji(ctx, emoji_name),
    }),
    endpoint("get-emoji-picture", {
      about: "Returns the picture of a custom emoji.",
      method: "GET",
      path: `/user_avatars/{realm:[0-9]+}/emoji/images/{picture:${pictureName}}`,
      root: true,
      auth: "none",
      params: { realm: z.string(), picture: z.string() },
      run: (ctx, { picture }, request) => pictureAnswer(ctx, picture, request),
    }),
    endpoint("get-extra-emoji-picture", {
      about: "Returns the picture of the server's own emoji.",
      method: "GET",
      path: extraPicturePath,
      root: true,
      auth: "none",
      params: { picture: z.string() },
      run: async () =>
        new RawAnswer(await extraPicture(), {
          ...open,
          "content-type": "image/png",
          "cache-control": "public, max-age=86400",
        }),
    }),
    endpoint("get-emoji-data", {
      about:
        "Returns the names of all Unicode emoji by their code. The URL changes with the content, so clients can cache it for ever.",
      method: "GET",
      path: "/static/emoji/{file:[0-9a-f]+\\.json}",
      root: true,
      auth: "none",
      params: { file: z.string() },
      run: (_, { file }) => {
        const { path, json } = emojiData();
        if (!path.endsWith(`/${file}`)) fail("NOT_FOUND", "There are no emoji names for that version.");
        return new RawAnswer(json, {
          ...open,
          "content-type": "application/json",
          "cache-control": "public, max-age=31536000, immutable",
        });
      },
    }),
  ],
});
