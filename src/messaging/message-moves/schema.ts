import { errorKinds } from "@/kernel/lib/errors.ts";

export const moveErrors = errorKinds({
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: { status: 400 },
});
