import { useOpenReports } from "../../../api/open-reports.ts";
import { Badge } from "../../../ui/badge.tsx";

/** How many are open. */
export function OpenReports() {
  return <Badge count={useOpenReports()} what="reports" />;
}
