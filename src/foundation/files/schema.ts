import { errorKinds } from "@/kernel/lib/errors.ts";

export const fileErrors = errorKinds({
  BAD_IMAGE: { status: 400 },
});
