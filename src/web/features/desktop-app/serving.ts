// Does what the menus and notifications of the desktop application ask for, and tells it how the organization is called now.
import type { Client } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import type { DesktopApp } from "../../lib/desktop-app.ts";
import { when } from "../../lib/observable.ts";
import { t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import { placeOf } from "../../state/places.ts";
import { goTo } from "../../ui/routes/navigation.ts";
import { hashOf } from "../../ui/routes/route.ts";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { openMessage } from "../notifications/announcing.ts";
import { signOut } from "../sign-in/signing-out.ts";

/** Call it once: the application forgets no listener. */
export function serveDesktopApp(app: DesktopApp, client: Client): void {
  app.on_event("show-keyboard-shortcuts", () => goTo(hashOf({ view: "shortcuts" })));
  app.on_event("show-download-success", (title, file, id) => {
    const show = () => app.send_event("show-downloaded-file-in-folder", id);
    const action = { label: t("Show in folder"), run: show };
    showToast({ text: `${title}: ${file}`, ...(typeof id === "string" && { action }) });
  });
  tellNames(app, client);
  if (client.isVisitor) return;
  app.on_event("show-notification-settings", () => {
    goTo(hashOf({ view: "settings", section: "notifications" }));
  });
  app.on_event("logout", () => {
    signOut(client).then(() => location.assign("/"), showFailure);
  });
  app.on_event("narrow-by-topic", (id) => {
    findMessage(client, id).then((message) => openMessage(client, message), showFailure);
  });
  app.on_event("send_notification_reply_message", (id, text) => {
    if (typeof text === "string" && text.trim() !== "") reply(app, client, { id, text }).catch(showFailure);
  });
  app.set_send_notification_reply_message_supported?.(true);
}

/** Says the organization's name and icon when they change: at its start, the application has asked for them itself. */
function tellNames(app: DesktopApp, { store }: Client): void {
  let { realm_name: name, realm_icon_url: icon } = store.get().organization;
  store.subscribe(() => {
    const now = store.get().organization;
    if (now.realm_name !== name) app.send_event("realm_name", now.realm_name);
    if (now.realm_icon_url !== icon) app.send_event("realm_icon_url", now.realm_icon_url);
    name = now.realm_name;
    icon = now.realm_icon_url;
  });
}

/** The message of a notification, by its tag. */
async function findMessage({ store, fetching }: Client, tag: unknown): Promise<Message> {
  const id = Number(tag);
  if (Number.isSafeInteger(id)) await fetching.byIds([id]);
  const message = store.get().messages[id];
  if (!message) throw new Error(t("This message was deleted, or you may no longer see it."));
  return message;
}

/** Sends the answer as the composer does: the conversation, which opens, shows it at once, and what becomes of it. */
async function reply(
  app: DesktopApp,
  client: Client,
  { id, text }: { id: unknown; text: string },
): Promise<void> {
  const fail = (error: string | undefined) =>
    app.send_event("send_notification_reply_message_failed", { message_id: id, error });
  const message = await findMessage(client, id).catch((error: unknown) => {
    fail(reasonOf(error));
    throw error;
  });
  openMessage(client, message);
  const { store, sending } = client;
  const sent = sending.send(placeOf(message, store.get().self.user_id), text);
  const find = () => store.get().outbox.find(({ local_id }) => local_id === sent);
  await when(store, () => ["sent", "failed", undefined].includes(find()?.state));
  if (find()?.state === "failed") fail(find()?.error);
}
