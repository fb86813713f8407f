// The person's own data: drafts, scheduled messages, reminders, snippets, views, settings.
import type { alertWordsChanged } from "@/messaging/alert-words/schema.ts";
import type { draftRemoved, draftsAdded, draftUpdated } from "@/personal/drafts/schema.ts";
import type { viewAdded, viewRemoved, viewUpdated } from "@/personal/navigation-views/schema.ts";
import type { reminderRemoved, remindersAdded } from "@/personal/reminders/schema.ts";
import type { snippetAdded, snippetRemoved, snippetUpdated } from "@/personal/saved-snippets/schema.ts";
import type {
  messagesScheduled,
  scheduledMessageRemoved,
  scheduledMessageUpdated,
} from "@/personal/scheduled-messages/schema.ts";
import { union, withEntry, without, withoutEntries } from "./records.ts";
import type { Payload, Reducers, Settings, State } from "./shape.ts";

const put =
  <T>(name: keyof State, key: keyof T, list: readonly T[]) =>
  (state: State): State => ({
    ...state,
    [name]: { ...(state[name] as object), ...Object.fromEntries(list.map((one) => [one[key], one])) },
  });

const drop = (state: State, name: keyof State, key: PropertyKey): State => ({
  ...state,
  [name]: withoutEntries(state[name] as Record<PropertyKey, unknown>, [key]),
});

export const personal: Reducers = {
  alert_words: (state, { alert_words }: Payload<typeof alertWordsChanged>) => ({ ...state, alert_words }),
  "drafts/add": (state, { drafts }: Payload<typeof draftsAdded>) => put("drafts", "id", drafts)(state),
  "drafts/update": (state, { draft }: Payload<typeof draftUpdated>) => put("drafts", "id", [draft])(state),
  "drafts/remove": (state, { draft_id }: Payload<typeof draftRemoved>) => drop(state, "drafts", draft_id),
  "navigation_view/add": (state, { navigation_view }: Payload<typeof viewAdded>) =>
    put("navigation_views", "fragment", [navigation_view])(state),
  "navigation_view/update": (state, { fragment, data }: Payload<typeof viewUpdated>) => {
    const before = state.navigation_views[fragment];
    if (!before) return state;
    return {
      ...state,
      navigation_views: withEntry(state.navigation_views, fragment, { ...before, ...data }),
    };
  },
  "navigation_view/remove": (state, { fragment }: Payload<typeof viewRemoved>) =>
    drop(state, "navigation_views", fragment),
  "reminders/add": (state, { reminders }: Payload<typeof remindersAdded>) =>
    put("reminders", "reminder_id", reminders)(state),
  "reminders/remove": (state, { reminder_id }: Payload<typeof reminderRemoved>) =>
    drop(state, "reminders", reminder_id),
  "saved_snippets/add": (state, { saved_snippet }: Payload<typeof snippetAdded>) =>
    put("saved_snippets", "id", [saved_snippet])(state),
  "saved_snippets/update": (state, { saved_snippet }: Payload<typeof snippetUpdated>) =>
    put("saved_snippets", "id", [saved_snippet])(state),
  "saved_snippets/remove": (state, { saved_snippet_id }: Payload<typeof snippetRemoved>) =>
    drop(state, "saved_snippets", saved_snippet_id),
  "scheduled_messages/add": (state, { scheduled_messages }: Payload<typeof messagesScheduled>) =>
    put("scheduled_messages", "scheduled_message_id", scheduled_messages)(state),
  "scheduled_messages/update": (state, { scheduled_message }: Payload<typeof scheduledMessageUpdated>) =>
    put("scheduled_messages", "scheduled_message_id", [scheduled_message])(state),
  "scheduled_messages/remove": (state, { scheduled_message_id }: Payload<typeof scheduledMessageRemoved>) =>
    drop(state, "scheduled_messages", scheduled_message_id),
  "update_message_flags/add": (state, { flag, messages }: { flag: string; messages: number[] }) =>
    flag === "starred" ? { ...state, starred_messages: union(state.starred_messages, messages) } : state,
  "update_message_flags/remove": (state, { flag, messages }: { flag: string; messages: number[] }) =>
    flag === "starred" ? { ...state, starred_messages: without(state.starred_messages, messages) } : state,
  delete_message: (
    state,
    { message_id, message_ids = [message_id ?? 0] }: { message_id?: number; message_ids?: number[] },
  ) => ({
    ...state,
    starred_messages: without(state.starred_messages, message_ids),
  }),
  "user_settings/update": (state, { property, value }: { property: string; value: unknown }) => ({
    ...state,
    user_settings: { ...state.user_settings, [property]: value } as Settings,
    // The server has deleted them.
    ...(property === "enable_drafts_synchronization" && value === false && { drafts: {} }),
  }),
};
