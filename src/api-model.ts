import { domains } from "./domains.ts";
import { type ApiModel, modelOf } from "./kernel/http/api-model.ts";

/** The HTTP API as data. */
export function apiModel(): ApiModel {
  return modelOf(domains);
}
