import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { registerDevice, removeDevice } from "./actions.ts";
import { devicesState } from "./queries.ts";
import { deviceId } from "./schema.ts";

export default domain({
  name: "client-devices",
  about: "apps of phones that people have signed in to; nothing is sent to them",
  state: { device: forSpectators((ctx) => devicesState(ctx), { devices: {} }) },
  endpoints: [
    endpoint("register-client-device", {
      about:
        "Registers a device of the caller's, as apps of phones do when one signs in; returns its new ID. A person has at most 100; with another one, the oldest goes.",
      method: "POST",
      path: "/register_client_device",
      returns: { device_id: deviceId },
      keeps: "results",
      run: async (ctx) => ({ device_id: await registerDevice(ctx) }),
    }),
    endpoint("remove-client-device", {
      about: "Removes one of the caller's devices, as apps of phones do when one signs out.",
      method: "POST",
      path: "/remove_client_device",
      params: { device_id: deviceId },
      run: (ctx, { device_id }) => removeDevice(ctx, device_id),
    }),
  ],
});
