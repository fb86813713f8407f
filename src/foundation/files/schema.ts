import { errorKinds } from "@/kernel/errors.ts";

export const fileErrors = errorKinds({
  BAD_IMAGE: { status: 400 },
});
