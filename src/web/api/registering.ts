// The parameters that the client registers with. The page's first script sends them while the client is still loading.

/** Strings as they are, everything else as JSON; undefined values are left out. */
export function encodeForm(params: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  return form;
}

/** The value of a cookie; empty if there is none. */
export function cookie(name: string): string {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? "";
}

export const registration = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: false,
  // A computer that slept for less goes on where it was. Longer, and the queues of closed pages would take much memory.
  idle_queue_timeout: 3_600,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    report_events: true,
  },
};

/** Where the first script leaves the answer. */
interface Early {
  registering?: Promise<Response> | undefined;
}

/** Registers at once, so that the answer has arrived when the client has loaded. */
export function registerEarly(csrfCookie: string): void {
  const headers = { "x-csrftoken": cookie(csrfCookie) };
  const asked = fetch("/json/register", {
    method: "POST",
    credentials: "same-origin",
    body: encodeForm(registration),
    headers,
  });
  asked.catch(() => {}); // The client shows the error when it takes the answer.
  (globalThis as Early).registering = asked;
}

/** The answer to the early request, which can be taken once. */
export function takeEarly(): Promise<Response> | undefined {
  const early = globalThis as Early;
  const asked = early.registering;
  early.registering = undefined;
  return asked;
}
