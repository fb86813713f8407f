import { domain } from "@/kernel/http/domain.ts";
import { indexing } from "./indexing.ts";

export default domain({ name: "message-index", jobs: [indexing] });
