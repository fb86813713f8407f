// What is shown for a link to an uploaded picture, video or audio file. Pictures on other sites stay links: loading
// them would tell those sites who reads what, and there is no proxy.
import { tag } from "@/text/html/elements.ts";
import type { RenderLookup, UploadedPicture } from "./scope.ts";

export interface Preview {
  html: string;
  /** Replaces the link, instead of following its paragraph. */
  inPlace: boolean;
}

export interface MediaLink {
  href: string;
  label: string;
}

const upload = /^\/user_uploads\/([^?#]+)/;
const video = /\.(?:mp4|m4v|webm|mov|ogv)$/i;
const audio = /\.(?:mp3|m4a|aac|flac|wav|ogg|oga|opus|weba)$/i;

export function previewOf(link: MediaLink, lookup: RenderLookup): Preview | null {
  if (!link.href.includes("/user_uploads/")) return null;
  const path = upload.exec(link.href)?.[1] ?? "";
  const { href, ...title } = target(link);
  if (audio.test(path)) {
    const player = tag("audio", { controls: null, preload: "metadata", src: href, ...title });
    return { html: `${player}</audio>`, inPlace: true };
  }
  if (video.test(path)) {
    const player = `${tag("video", { preload: "metadata", src: href })}</video>`;
    return box("message_inline_image message_inline_video", target(link), player);
  }
  const picture = lookup.upload?.(href);
  return picture ? box("message_inline_image", target(link), thumbnail(picture)) : null;
}

function thumbnail(picture: UploadedPicture): string {
  const attrs: Record<string, string> = {
    "data-original-dimensions": `${picture.width}x${picture.height}`,
    "data-original-content-type": picture.content_type,
  };
  if (picture.is_animated) attrs["data-animated"] = "true";
  const format = picture.is_animated ? "840x560-anim.webp" : "840x560.webp";
  return tag("img", { ...attrs, src: `/user_uploads/thumbnail/${picture.path_id}/${format}` });
}

function target({ href, label }: MediaLink): { href: string; title?: string } {
  return label === href || label.trim() === "" ? { href } : { href, title: label };
}

function box(css: string, link: Record<string, string>, inner: string): Preview {
  return { html: `<div class="${css}">${tag("a", link)}${inner}</a></div>`, inPlace: false };
}
