// The window of the desktop application, for a page that is open in a browser.
import type { Seat } from "./web-people.ts";

/** Stands for the application: notes what it is told, and shows nothing. */
const application = `(() => {
  Object.assign(window, { told: [], listeners: {}, notices: [], isIdle: false, later: 0, eachMinute: [] });
  window.electron_bridge = {
    send_event: (...all) => window.told.push(all) > 0,
    on_event: (name, listener) => void (window.listeners[name] = listener),
    new_notification: (title, options, dispatch) => {
      const notice = { title, ...options, dispatch, isOpen: true };
      window.notices.push(notice);
      return { title, close: () => (notice.isOpen = false) };
    },
    get_idle_on_system: () => window.isIdle,
    get_last_active_on_system: () => 0,
    set_send_notification_reply_message_supported: (value) => (window.takesReplies = value),
  };
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  document.hasFocus = () => false;
  const [now, interval] = [Date.now, setInterval];
  Date.now = () => now() + window.later;
  window.setInterval = (run, pause) => {
    if (pause >= 30_000) window.eachMinute.push(run);
    return interval(run, pause);
  };
})()`;

/** Loads the page again, in the application's window, which is not in front. */
export async function openInDesktopApp({ tab, until }: Seat): Promise<void> {
  await tab.evaluateOnNewDocument(application);
  await tab.reload();
  await until("'logout' in window.listeners");
}

/** An expression for what the application was told last. */
export const lastTold = (name: string) => `window.told.filter(([name]) => name === '${name}').at(-1)?.[1]`;

/** As a menu or a notification of the application does. */
export function askOf({ tab }: Seat, name: string, ...values: readonly unknown[]): Promise<unknown> {
  return tab.evaluate(`window.listeners[${JSON.stringify(name)}](...${JSON.stringify(values)})`);
}
