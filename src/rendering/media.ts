// What a link to a picture, a video or a sound shows besides itself. Nothing here asks the network.
import { tag } from "@/rendering/elements.ts";
import type { RenderLookup, UploadedPicture } from "@/rendering/scope.ts";

export interface Preview {
  html: string;
  /** In the place of the link, instead of below its paragraph. */
  inPlace: boolean;
}

export interface MediaLink {
  href: string;
  label: string;
}

const upload = /^\/user_uploads\/([^?#]+)/;
const video = /\.(?:mp4|m4v|webm|mov|ogv)$/i;
const audio = /\.(?:mp3|m4a|aac|flac|wav|ogg|oga|opus|weba)$/i;
const externalPicture = /^https?:\/\/[^?#]+\.(?:png|jpe?g|gif|webp|bmp|avif)(?:[?#]|$)/i;
const youtube =
  /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:(?:watch)?\?(?:[^#]*&)?v=|(?:embed|shorts|live|v|e)\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i;

export function previewOf(link: MediaLink, lookup: RenderLookup): Preview | null {
  const path = upload.exec(link.href)?.[1];
  if (path !== undefined) return uploadPreview(link, path, lookup);

  const videoId = youtube.exec(link.href)?.[1];
  if (videoId !== undefined) {
    const still = tag("img", { src: `https://i.ytimg.com/vi/${videoId}/mqdefault.jpg` });
    return boxed("youtube-video message_inline_image", { "data-id": videoId, ...target(link) }, still);
  }
  if (!externalPicture.test(link.href)) return null;
  return boxed("message_inline_image", target(link), tag("img", { src: link.href }));
}

function uploadPreview(link: MediaLink, path: string, lookup: RenderLookup): Preview | null {
  const { href, ...title } = target(link);
  if (audio.test(path)) {
    const player = tag("audio", { controls: null, preload: "metadata", src: href, ...title });
    return { html: `${player}</audio>`, inPlace: true };
  }
  if (video.test(path)) {
    const player = `${tag("video", { preload: "metadata", src: href })}</video>`;
    return boxed("message_inline_image message_inline_video", target(link), player);
  }
  const picture = lookup.upload?.(path);
  return picture ? boxed("message_inline_image", target(link), thumbnail(path, picture)) : null;
}

function thumbnail(path: string, picture: UploadedPicture): string {
  const attrs: Record<string, string> = {
    "data-original-dimensions": `${picture.width}x${picture.height}`,
    "data-original-content-type": picture.content_type,
  };
  if (picture.is_pending) {
    const src = "/static/images/loading/loader-black.svg";
    return tag("img", { class: "image-loading-placeholder", ...attrs, src });
  }
  if (picture.is_animated) attrs["data-animated"] = "true";
  if (picture.transcoded_image) attrs["data-transcoded-image"] = picture.transcoded_image;
  const format = picture.is_animated ? "840x560-anim.webp" : "840x560.webp";
  return tag("img", { ...attrs, src: `/user_uploads/thumbnail/${path}/${format}` });
}

function target({ href, label }: MediaLink): { href: string; title?: string } {
  return label === href || label.trim() === "" ? { href } : { href, title: label };
}

function boxed(css: string, link: Record<string, string>, inner: string): Preview {
  return { html: `<div class="${css}">${tag("a", link)}${inner}</a></div>`, inPlace: false };
}
