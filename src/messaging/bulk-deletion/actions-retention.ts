import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { releaseRetention } from "@/foundation/retention/tx.ts";
import { action } from "@/kernel/core/operation.ts";
import { channelFor } from "@/places/channels/access.ts";

/** Lets the next sweep delete what a shorter retention, an import or a backup still makes it wait for. */
export const sweepNow = action(allow.owner, (tx, channelId: number | null): void => {
  const channel = channelId === null ? null : channelFor(tx, channelId, "administer");
  releaseRetention(tx, channel?.id ?? 0);
  recordAudit(tx, {
    event: "retention_released",
    about: channel ? { kind: "channel", id: channel.id } : { kind: "realm" },
  });
});
