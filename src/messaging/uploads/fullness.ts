// How full a quota is. The web client, which loads no zod, imports this file.
import type { Space, UploadSpace } from "./schema.ts";

/** From these parts of a quota on, people are warned. */
export const fullness = { early: 0.8, late: 0.95 } as const;

export interface ScarceSpace {
  used: number;
  quota: number;
  /** The part of the quota that is used. */
  part: number;
  isLate: boolean;
}

/** A space that is nearly or fully used; null while there is room, or if there is no quota. */
export function scarceSpace({ used, quota }: Space): ScarceSpace | null {
  const part = quota === null ? 0 : used / quota;
  return quota !== null && part >= fullness.early
    ? { used, quota, part, isLate: part >= fullness.late }
    : null;
}

/** Whether one's own space or the organization's is scarcer, if any is. */
export function scarcerSpace(space: UploadSpace): (ScarceSpace & { isOwn: boolean }) | null {
  const own = scarceSpace(space.own);
  const organization = scarceSpace(space.organization);
  if (own && own.part >= (organization?.part ?? 0)) return { ...own, isOwn: true };
  return organization && { ...organization, isOwn: false };
}
