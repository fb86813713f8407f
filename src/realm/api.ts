import { z } from "zod";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { realmState, serverSettings } from "./queries.ts";

export default domain({
  name: "realm",
  state: { realm: realmState },
  endpoints: [
    endpoint("get-server-settings", {
      method: "GET",
      path: "/server_settings",
      auth: "none",
      returns: { realm_name: z.string(), service_feature_level: z.int() },
      run: serverSettings,
    }),
  ],
});
