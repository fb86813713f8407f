import { errorKinds } from "@/kernel/errors.ts";

export const moveErrors = errorKinds({
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: { status: 400 },
});
