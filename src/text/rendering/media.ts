// What is shown for a link to an uploaded picture, video or audio file, and to a picture or page on another site.
import { escapeHtml, tag } from "@/text/html/elements.ts";
import type { Linked, RenderLookup, RenderScope, UploadedPicture } from "./scope.ts";

export interface Preview {
  html: string;
  /** Replaces the link, instead of following its paragraph. */
  inPlace: boolean;
  /** Wire: replaces a paragraph that is nothing but its address. */
  replacesAddress: boolean;
}

export interface MediaLink {
  href: string;
  label: string;
}

/** More pictures in the text of a message stay as they are written. */
const maxPictures = 24;

const upload = /^\/user_uploads\/([^?#]+)/;
const video = /\.(?:mp4|m4v|webm|mov|ogv)$/i;
const audio = /\.(?:mp3|m4a|aac|flac|wav|ogg|oga|opus|weba)$/i;

/** The preview of a link; a string is an address on another site at which nobody has looked yet. */
export function previewOf(link: MediaLink, { lookup, options }: RenderScope): Preview | string | null {
  const isFile = options.previews && link.href.includes("/user_uploads/");
  const file = isFile ? filePreview(link, lookup) : null;
  if (file) return file;
  const linked = options.linkPreviews ? lookup.linked?.(link.href, link.label !== link.href) : null;
  return linked ? linkedPreview(link, linked) : null;
}

function filePreview(link: MediaLink, lookup: RenderLookup): Preview | null {
  const path = upload.exec(link.href)?.[1] ?? "";
  const { href } = link;
  if (audio.test(path)) return { html: audioPlayer(link), inPlace: true, replacesAddress: false };
  if (video.test(path)) {
    const player = `${tag("video", { preload: "metadata", src: href })}</video>`;
    return box("message_inline_image message_inline_video", target(link), player);
  }
  const picture = lookup.upload?.(href);
  return picture ? box("message_inline_image", target(link), tag("img", thumbnailOf(picture))) : null;
}

/** The picture or audio player that `![label](href)` puts into the text; null if it stands for none. */
export function embedOf(link: MediaLink, { lookup, options, pictures }: RenderScope): string | null {
  if (!options.previews || pictures.n >= maxPictures || !link.href.includes("/user_uploads/")) return null;
  const isAudio = audio.test(upload.exec(link.href)?.[1] ?? "");
  const picture = isAudio ? null : lookup.upload?.(link.href);
  if (!isAudio && !picture) return null;
  pictures.n++;
  if (!picture) return audioPlayer(link);
  const { src, ...facts } = thumbnailOf(picture);
  return tag("img", {
    ...{ class: "inline-image", alt: link.label, ...facts },
    ...{ "data-original-src": `/user_uploads/${picture.path_id}`, src },
  });
}

function audioPlayer(link: MediaLink): string {
  const { href, ...title } = target(link);
  return `${tag("audio", { controls: null, preload: "metadata", src: href, ...title })}</audio>`;
}

function linkedPreview(link: MediaLink, linked: Linked): Preview | string {
  if (linked.kind === "unfetched") return linked.address;
  if (linked.kind === "page") return card(link.href, linked);
  const dimensions = `${linked.width}x${linked.height}`;
  const picture = tag("img", { "data-original-dimensions": dimensions, src: linked.src });
  return { ...box("message_inline_image", target(link), picture), replacesAddress: true };
}

function card(href: string, { src, title, description }: Linked & { kind: "page" }): Preview {
  const picture = tag("a", { class: "message_embed_image", href, style: `background-image: url("${src}")` });
  const heading = `<div class="message_embed_title">${tag("a", { href, title })}${escapeHtml(title)}</a></div>`;
  const text =
    description === "" ? "" : `<div class="message_embed_description">${escapeHtml(description)}</div>`;
  const html = `<div class="message_embed">${picture}</a><div class="data-container">${heading}${text}</div></div>`;
  return { html, inPlace: false, replacesAddress: false };
}

/** Where the thumbnail is, and what clients want to know of the picture. */
function thumbnailOf({ path_id, width, height, content_type, is_animated }: UploadedPicture) {
  const format = is_animated ? "840x560-anim.webp" : "840x560.webp";
  return {
    "data-original-dimensions": `${width}x${height}`,
    "data-original-content-type": content_type,
    ...(is_animated && { "data-animated": "true" }),
    src: `/user_uploads/thumbnail/${path_id}/${format}`,
  };
}

function target({ href, label }: MediaLink): { href: string; title?: string } {
  return label === href || label.trim() === "" ? { href } : { href, title: label };
}

function box(css: string, link: Record<string, string>, inner: string): Preview {
  const html = `<div class="${css}">${tag("a", link)}${inner}</a></div>`;
  return { html, inPlace: false, replacesAddress: false };
}
