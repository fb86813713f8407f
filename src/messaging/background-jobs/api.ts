import { domain } from "@/kernel/http/domain.ts";
import { resuming } from "./running.ts";

export default domain({ name: "background-jobs", jobs: [resuming] });
