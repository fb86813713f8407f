// How many reports of messages are open, for those who decide about them.
import { mayModerate } from "../state/permissions.ts";
import { useSelect } from "./client.ts";
import { useLoaded } from "./loaded.ts";

/** 0 for others, and while the organization takes no reports. */
export function useOpenReports(): number {
  const isMeant = useSelect(
    (state) => Number(state.organization.realm_moderation_request_channel_id) > 0 && mayModerate(state),
  );
  const { value } = useLoaded<{ open: number }>(isMeant ? "/reports" : null, {
    params: { limit: 1, is_handled: false },
    renewOn: ["reports_changed"],
  });
  return value?.open ?? 0;
}
