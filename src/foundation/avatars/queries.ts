import { allow } from "@/foundation/permissions/access.ts";
import { findUserByAddress, userNamed } from "@/foundation/users/access.ts";
import { avatarUrl } from "@/foundation/users/present.ts";
import { query } from "@/kernel/core/operation.ts";
import { RawAnswer } from "@/kernel/http/endpoint.ts";

/**
 * Redirects to the picture of a user, given by ID or address; unknown users get a generated picture too. Clients may
 * append `-medium.png` instead of asking for the larger size, as they do with pictures.
 */
export const avatarAddress = query(
  allow.viewer,
  (ctx, given: { named: string; size: "" | "-medium" }): RawAnswer => {
    const [, named = "", larger = given.size] = /^(.*?)(?:(-medium)?\.png)?$/s.exec(given.named) ?? [];
    const size = larger === "" ? "" : "-medium";
    const user = /^\d+$/.test(named) ? userNamed(ctx, null, Number(named)) : findUserByAddress(ctx, named);
    const location = avatarUrl(ctx, user ?? { id: 0, avatar_file: null }, size);
    return new RawAnswer(null, { location }, 302);
  },
);
