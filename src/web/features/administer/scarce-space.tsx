// Words before the organization's quota of files is used up.
import type { UploadSpace } from "@/messaging/uploads/schema.ts";
import { useLoaded } from "../../api/loaded.ts";
import { wordSpace } from "../../lib/upload-space.ts";
import { Banner } from "../../ui/banner.tsx";

export function ScarceSpace() {
  const { value } = useLoaded<UploadSpace>("/attachments/space");
  return value === null ? null : <SpaceBanner space={value} />;
}

export function SpaceBanner({ space }: { space: UploadSpace }) {
  const scarce = wordSpace({ ...space, own: { used: 0, quota: null } });
  return scarce ? <Banner look={scarce.isLate ? "warn" : "info"}>{scarce.text}</Banner> : null;
}
