import { createHmac } from "node:crypto";
import { memberOf } from "@/foundation/permissions/access.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import { type Ctx, type Reads, sitesOf } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { LinkToShow } from "@/messaging/sending/hooks.ts";
import { isImageUrl } from "@/text/links/urls.ts";
import type { Linked } from "@/text/rendering/scope.ts";
import { addressOf, keeping } from "./schema.ts";
import { findPreview, type PreviewRow } from "./store.ts";

/** What the organization shows of other sites. */
export function shownKinds(reads: Reads): { pictures: boolean; pages: boolean } {
  const settings = realmSettings.read(reads);
  return {
    pictures: settings.inline_image_preview && settings.linked_image_preview,
    pages: settings.inline_url_embed_preview,
  };
}

/** What was found at an address; null if nobody has looked, or not lately. */
export function findRecent(reads: Reads, address: string, now: number): PreviewRow | null {
  const row = findPreview(reads, address);
  if (!row) return null;
  const seconds = row.kind === "nothing" ? keeping.nothingSeconds : keeping.seconds;
  return row.found_at + seconds > now ? row : null;
}

/** Provides `sendingHooks.linked`. */
export function linkedAt(ctx: Ctx, { href, hasText }: LinkToShow): Linked | null {
  const { pictures, pages: showsPages } = shownKinds(ctx);
  // What tools report is full of links, and says what they lead to.
  const pages = showsPages && !(hasText && isBot(ctx));
  const address = addressOf(href, sitesOf(ctx));
  if (address === null || !(isImageUrl(address) ? pictures : pages)) return null;
  const row = findRecent(ctx, address, ctx.now);
  if (!row) return { kind: "unfetched", address };
  if (row.kind === "picture") {
    const { width, height } = row;
    return pictures
      ? { kind: "picture", src: sourceOf(ctx, address), width: width ?? 0, height: height ?? 0 }
      : null;
  }
  if (row.kind === "nothing" || !pages) return null;
  const picture = row.picture_address === null ? null : findPreview(ctx, row.picture_address);
  const src = picture?.kind === "picture" ? sourceOf(ctx, picture.address) : symbolPath;
  return { kind: "page", src, title: row.title ?? "", description: row.description ?? "" };
}

const isBot = (ctx: Ctx) => ctx.actor.kind === "user" && memberOf(ctx, ctx.actor.id).is_bot;

/** Wire: clients show cards with a picture only, so a page without one gets this. */
export const symbolPath = "/external_content/page.png";

/** Where this server serves the picture of another site. The signature keeps others from having it fetch what they like. */
function sourceOf(reads: Reads, address: string): string {
  return `/external_content/${signatureOf(reads, address)}/${Buffer.from(address).toString("hex")}`;
}

function signatureOf(reads: Reads, address: string): string {
  // The salt is a secret of the organization. The label separates this use from others.
  return createHmac("sha256", `external content:${realmOf(reads).avatar_salt}`)
    .update(address)
    .digest("hex");
}

export interface SignedAddress {
  signature: string;
  address: string;
}

/** The address on another site that this server has signed. Throws for any other, as if it did not exist. */
export function signedAddress(reads: Reads, { signature, address: hex }: SignedAddress): string {
  const address = Buffer.from(hex, "hex").toString();
  return isSame(signature, signatureOf(reads, address)) ? address : noPicture();
}

export function noPicture(): never {
  fail("NOT_FOUND", "There is no such picture.");
}
