import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { addPlayground, removePlayground } from "./actions.ts";
import { playgroundsState } from "./queries.ts";
import { newPlayground, playgroundId } from "./schema.ts";

export default domain({
  name: "playgrounds",
  about: "where clients open code of a language",
  state: { realm_playgrounds: forSpectators(playgroundsState) },
  endpoints: [
    endpoint("add-code-playground", {
      about: "Adds a place where code of a language can be tried out. Administrators only.",
      method: "POST",
      path: "/realm/playgrounds",
      params: newPlayground.shape,
      returns: { id: playgroundId },
      keeps: "results",
      run: (ctx, params) => addPlayground(ctx, params),
    }),
    endpoint("remove-code-playground", {
      about: "Removes a code playground. Administrators only.",
      method: "DELETE",
      path: "/realm/playgrounds/{playground_id:[0-9]+}",
      params: { playground_id: playgroundId },
      run: (ctx, { playground_id }) => removePlayground(ctx, playground_id),
    }),
  ],
});
