import { domain } from "@/kernel/http/domain.ts";
import { activityJob } from "./measuring.ts";

export default domain({ name: "channel-activity", jobs: [activityJob] });
