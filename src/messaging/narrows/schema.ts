import { errorKinds } from "@/kernel/errors.ts";

export const narrowErrors = errorKinds({
  BAD_NARROW: { status: 400 },
});
