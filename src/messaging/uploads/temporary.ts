// Temporary addresses: they open one file without credentials for a minute, for programs that cannot send any.
import { createHmac } from "node:crypto";
import { allow } from "@/foundation/permissions/access.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { uploadFor } from "./access.ts";
import type { UploadRow } from "./rows.ts";
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

/** The file of a temporary address, for anyone who has the address. */
export const temporaryUpload = query(allow.anyone, (ctx, given: TemporaryAddress): UploadRow => {
  const expected = signature(ctx, given.path_id, given.expires);
  if (!isSame(given.signature, expected) || ctx.now >= given.expires)
    fail("ACCESS_DENIED", "This address has expired or is invalid.");
  return (
    store.findUploadByPath(ctx, given.path_id) ??
    fail("NOT_FOUND", "This file does not exist or has been deleted.")
  );
});

function signature(ctx: Reads, pathId: string, expires: number): string {
  // The salt is a secret of the organization. The label separates this use from others.
  return createHmac("sha256", `temporary uploads:${realmOf(ctx).avatar_salt}`)
    .update(`${expires}:${pathId}`)
    .digest("hex");
}
