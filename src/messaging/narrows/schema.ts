import { errorKinds } from "@/kernel/lib/errors.ts";

export const narrowErrors = errorKinds({
  BAD_NARROW: { status: 400 },
});
