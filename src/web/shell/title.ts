// The window's title, and the number on its icon and on that of the application.
import { useEffect } from "react";
import { useSelect } from "../api/client.ts";
import { desktopApp } from "../lib/desktop-app.ts";
import { t } from "../lib/texts.ts";
import { channelOf, iconCount, titleOf } from "../state/selectors.ts";
import type { State } from "../state/state.ts";
import type { Route } from "../ui/routes/route.ts";

const words: Partial<Record<Route["view"], string>> = {
  inbox: t("Inbox"),
  recent: t("Recent conversations"),
  feed: t("Combined feed"),
  drafts: t("Drafts"),
  scheduled: t("Scheduled messages"),
  reminders: t("Reminders"),
  channels: t("Channels"),
  groups: t("Groups"),
  settings: t("Settings"),
  organization: t("Organization"),
  search: t("Search"),
};

function nameOf(state: State, route: Route): string {
  if (route.view === "messages") return titleOf(state, route.terms);
  if (route.view === "person") return state.users[route.user]?.full_name ?? "";
  if (route.view === "topics") return `#${channelOf(state, route.channel)?.name ?? ""}`;
  return words[route.view] ?? "";
}

interface Badging {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

/** Draws nothing: the count changes often, and what is around this need not be drawn again. */
export function Title({ route }: { route: Route }) {
  const name = useSelect((state) => nameOf(state, route));
  const realm = useSelect((state) => state.organization.realm_name);
  const count = useSelect(iconCount);
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${name ? `${name} – ` : ""}${realm}`;
  }, [count, name, realm]);
  useEffect(() => {
    const { setAppBadge, clearAppBadge }: Badging = navigator;
    // Rejects where the browser has no badges or the client is not installed. Nothing depends on it.
    const shown = count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator);
    shown?.catch(() => {});
    desktopApp?.send_event("total_unread_count", count);
  }, [count]);
  const mark = count > 99 ? "99+" : String(count);
  useEffect(() => void drawIcon(mark), [mark]);
  return null;
}

let original: string | null = null;

/** Draws the number onto the tab's icon. */
async function drawIcon(mark: string): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  original ??= link.href;
  if (mark === "0") {
    link.href = original;
    link.type = "image/svg+xml";
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  const picture = new Image();
  picture.src = original;
  try {
    await picture.decode();
  } catch {
    return;
  }
  if (!pen) return;
  pen.drawImage(picture, 0, 0, 64, 64);
  pen.fillStyle = "#d92d20";
  pen.beginPath();
  pen.roundRect(16, 26, 48, 38, 14);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "bold 30px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(mark, 40, 46, 44);
  link.type = "image/png";
  link.href = canvas.toDataURL("image/png");
}
