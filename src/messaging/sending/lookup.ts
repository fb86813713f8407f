import { pictureOfEmoji } from "@/foundation/emoji/access.ts";
import { activeLinkifiers } from "@/foundation/linkifiers/access.ts";
import { findNamedGroup, me } from "@/foundation/permissions/access.ts";
import { emptyTopicDisplayName, realmSettings } from "@/foundation/realm/schema.ts";
import { settingsOf } from "@/foundation/user-settings/access.ts";
import { userNamed } from "@/foundation/users/access.ts";
import { type Ctx, sitesOf } from "@/kernel/core/context.ts";
import { messageBits } from "@/messaging/message-rows/schema.ts";
import { findMessageById, mayReadMessage, newestInTopic } from "@/messaging/messages/access.ts";
import { findLinkedPicture } from "@/messaging/uploads/access.ts";
import type { UploadRow } from "@/messaging/uploads/schema.ts";
import { visibleChannelNamed } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { type Rendered, render } from "@/text/rendering/render.ts";
import type { RenderLookup, RenderOptions } from "@/text/rendering/scope.ts";
import { sendingHooks } from "./hooks.ts";

/** Provides `renderText`. */
export function renderPlainText(ctx: Ctx, text: string): Rendered {
  return render(text, renderLookup(ctx), renderOptions(ctx));
}

/** As `renderText`, with previews of linked images, videos, audio files and pages. */
export function renderMessage(ctx: Ctx, text: string): Rendered {
  const previews = realmSettings.read(ctx).inline_image_preview;
  return render(text, renderLookup(ctx), { ...renderOptions(ctx), previews, linkPreviews: true });
}

function renderOptions(ctx: Ctx): RenderOptions {
  return {
    defaultCodeLanguage: realmSettings.read(ctx).default_code_block_language,
    translateEmoticons: settingsOf(ctx, ctx.actor.id).translate_emoticons,
  };
}

/** Resolves mentions and links in a text as the actor sees them. */
function renderLookup(ctx: Ctx): RenderLookup {
  return {
    user: (name, id) => userNamed(ctx, name, id),
    group: (name) => findNamedGroup(ctx, name),
    channel: (name) => visibleChannelNamed(ctx, name),
    newestInTopic: (channelId, topic) => newestShown(ctx, channelId, topic),
    emptyTopicName: emptyTopicDisplayName,
    // Only links need it.
    get sites() {
      return sitesOf(ctx);
    },
    linkifiers: activeLinkifiers(ctx),
    customEmoji: (name) => pictureOfEmoji(ctx, name),
    upload: (href) => findLinkedPicture(ctx, href),
    linked: (href, hasText) => sendingHooks.linked(ctx, { href, hasText }),
  };
}

/** Null if the actor may not read the topic's newest message: a link must not reveal it. */
function newestShown(ctx: Ctx, channelId: number, topic: string): number | null {
  const id = newestInTopic(ctx, channelConversation(ctx, channelId), topicKey(topic));
  const row = id === null ? null : findMessageById(ctx, id);
  if (!row || ctx.actor.kind === "system") return id;
  return mayReadMessage(ctx, me(ctx), row) ? id : null;
}

/** The `contentBits` of rendered content. */
export function factsOf(rendered: Rendered, uploads: readonly UploadRow[]): number {
  return (
    (rendered.channelWildcard ? messageBits.channelWildcard : 0) |
    (rendered.hasLink ? messageBits.hasLink : 0) |
    (rendered.hasImage ? messageBits.hasImage : 0) |
    (uploads.length > 0 ? messageBits.hasAttachment : 0) |
    (rendered.isMeMessage ? messageBits.isMe : 0)
  );
}
