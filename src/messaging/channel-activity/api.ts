import { domain } from "@/kernel/domain.ts";
import { activityJob } from "./measuring.ts";

export default domain({ name: "channel-activity", jobs: [activityJob] });
