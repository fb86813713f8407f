// Addresses that open one file without credentials for a minute, for what cannot send any.
import { createHmac, timingSafeEqual } from "node:crypto";
import { allow } from "@/foundation/permissions/access.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import type { Reads } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { query } from "@/kernel/operation.ts";
import { type UploadRow, uploadFor } from "./access.ts";
import * as store from "./store.ts";

const seconds = 60;

export const temporaryUrl = query(allow.user, (ctx, pathId: string): string => {
  const { path_id } = uploadFor(ctx, pathId);
  const expires = ctx.now + seconds;
  const path = path_id.split("/").map(encodeURIComponent).join("/");
  return `/user_uploads/temporary/${expires}/${signature(ctx, path_id, expires)}/${path}`;
});

export interface TemporaryAddress {
  expires: number;
  signature: string;
  path_id: string;
}

/** The file that such an address opens, for whoever holds it. */
export const temporaryUpload = query(allow.anyone, (ctx, given: TemporaryAddress): UploadRow => {
  const expected = signature(ctx, given.path_id, given.expires);
  const isOurs =
    given.signature.length === expected.length &&
    timingSafeEqual(Buffer.from(given.signature), Buffer.from(expected));
  if (!isOurs || ctx.now >= given.expires) fail("ACCESS_DENIED", "This address is not valid any more.");
  return (
    store.findUploadByPath(ctx, given.path_id) ??
    fail("NOT_FOUND", "This file does not exist or has been deleted.")
  );
});

function signature(ctx: Reads, pathId: string, expires: number): string {
  // The salt is the organization's secret from its creation; the label keeps this use of it apart.
  return createHmac("sha256", `temporary uploads:${realmOf(ctx).avatar_salt}`)
    .update(`${expires}:${pathId}`)
    .digest("hex");
}
