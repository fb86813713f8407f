// The desktop application of the client's family shows this page in its window, and offers it what a browser has not. The names are
// the application's own.

export interface DesktopApp {
  /** Tells the application something: "total_unread_count", "realm_name", … */
  send_event(name: string, ...values: unknown[]): unknown;
  /** Listens to what its menus and its notifications ask for, as long as the page is open. */
  on_event(name: string, listener: (...values: unknown[]) => void): void;
  /** Shows a notification that brings the application to the front when it is clicked. The tag is the ID of the message. */
  new_notification?(
    title: string,
    options: NotificationOptions,
    dispatch: (event: string) => boolean,
  ): { close(): void } | null;
  get_idle_on_system?(): boolean;
  /** Unix milliseconds. */
  get_last_active_on_system?(): number;
  set_send_notification_reply_message_supported?(isSupported: boolean): void;
}

const { electron_bridge: found } = globalThis as { electron_bridge?: Partial<DesktopApp> };

/** Null in a browser. An element with this name would be found by it, too, but is not asked for anything. */
export const desktopApp = typeof found?.on_event === "function" ? (found as DesktopApp) : null;
