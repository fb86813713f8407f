import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { addSubmessage } from "./actions.ts";
import { submessageParams } from "./schema.ts";

export default domain({
  name: "submessages",
  endpoints: [
    endpoint("post-submessage", {
      method: "POST",
      path: "/submessage",
      params: submessageParams,
      run: async (ctx, params) => {
        await addSubmessage(ctx, params);
        return {};
      },
    }),
  ],
});
