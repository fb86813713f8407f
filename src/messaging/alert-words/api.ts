import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { addAlertWords, removeAlertWords } from "./actions.ts";
import { listAlertWords } from "./queries.ts";
import { alertWordList, alertWords, goneWordList } from "./schema.ts";

const path = "/users/me/alert_words";
const returns = { alert_words: alertWords };

export default domain({
  name: "alert-words",
  about: "words that alert people, and finding them in messages",
  state: { alert_words: forSpectators((ctx) => ({ alert_words: listAlertWords(ctx) }), { alert_words: [] }) },
  endpoints: [
    endpoint("get-alert-words", {
      about: "Lists the caller's alert words.",
      method: "GET",
      path,
      returns,
      run: (ctx) => ({ alert_words: listAlertWords(ctx) }),
    }),
    endpoint("add-alert-words", {
      about: "Adds alert words. Ignores words the caller has already, whatever their case.",
      method: "POST",
      path,
      params: { alert_words: alertWordList },
      returns,
      keeps: "results",
      run: async (ctx, params) => ({ alert_words: await addAlertWords(ctx, params.alert_words) }),
    }),
    endpoint("remove-alert-words", {
      about: "Removes alert words. Ignores unknown ones.",
      method: "DELETE",
      path,
      params: { alert_words: goneWordList },
      returns,
      keeps: "results",
      run: async (ctx, params) => ({ alert_words: await removeAlertWords(ctx, params.alert_words) }),
    }),
  ],
});
