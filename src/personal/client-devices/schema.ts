import { z } from "zod";
import { event } from "@/kernel/core/events.ts";

/** Of one person. With another one, the oldest goes. */
export const maxDevices = 100;

export const deviceId = z.int();

/** What clients read of a device. All is null, because this server sends nothing to phones. */
export const blankDevice = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
} as const;

export const deviceAdded = event("device", {
  about: "An app of the user's has registered its device.",
  op: "add",
  schema: z.object({ device_id: deviceId }),
});

export const deviceRemoved = event("device", {
  about: "A device of the user's is gone: its app was signed out, or too many others came after it.",
  op: "remove",
  schema: z.object({ device_id: deviceId }),
});
