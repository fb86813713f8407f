// The client's frame: sidebar, view, panel, and what belongs to no single view.
import { Suspense, useEffect, useMemo } from "react";
import { useClient, useSelect } from "../api/client.ts";
import { Shortcuts } from "../features/commands/shortcuts.tsx";
import { NewMessages } from "../features/compose/new-message-opener.tsx";
import { DateDialogs } from "../features/dates/jump-to-date.tsx";
import { Conversation } from "../features/feed/conversation.tsx";
import { Inbox } from "../features/inbox/inbox.tsx";
import { MarkReadDialog } from "../features/message/marking-read.tsx";
import { MessageDialogs } from "../features/message/message-dialogs.tsx";
import { useAnnouncing } from "../features/notifications/announcing.ts";
import { NotificationOffer } from "../features/notifications/offer.tsx";
import { Cards } from "../features/people/cards.tsx";
import { StatusDialogs } from "../features/people/status.tsx";
import { Recent } from "../features/recent/recent.tsx";
import { Sidebar } from "../features/sidebar/sidebar.tsx";
import { Topics } from "../features/topics/topics.tsx";
import { classes } from "../lib/classes.ts";
import { useStore } from "../lib/observable.ts";
import { isWide, narrow, setPanel, showPanel, showSidebar } from "../lib/panes.ts";
import { useSwipe } from "../lib/swipe.ts";
import { t } from "../lib/texts.ts";
import { combined } from "../state/narrows.ts";
import { ConnectionBanner } from "../ui/connection-banner.tsx";
import { Lightbox } from "../ui/content/lightbox-opener.tsx";
import { lazyView, preloadParts } from "../ui/on-demand.tsx";
import { useHash, useLinksBack } from "../ui/routes/navigation.ts";
import { homeRoute } from "../ui/routes/opening.ts";
import { parseHash, type Route, withChannelIds } from "../ui/routes/route.ts";
import { HasPanel } from "../ui/view-head.tsx";
import { useAppearance } from "./appearance.ts";
import { useFollowing } from "./following.ts";
import { usePresencePolling } from "./presence-polling.ts";
import css from "./shell.module.css";
import { useTimeZoneHint } from "./time-zone.ts";
import { Title } from "./title.ts";

const Browse = lazyView(async () => (await import("../features/browse/browse.tsx")).Browse);
const Kept = lazyView(async () => (await import("../features/kept/kept.tsx")).Kept);

const ChannelPage = lazyView(async () => (await import("../features/organize/channel-page.tsx")).ChannelPage);
const GroupsPage = lazyView(async () => (await import("../features/organize/groups-page.tsx")).GroupsPage);
const Organization = lazyView(
  async () => (await import("../features/administer/organization.tsx")).Organization,
);
const SearchView = lazyView(async () => (await import("../features/search/search-view.tsx")).SearchView);
const Settings = lazyView(async () => (await import("../features/settings/settings.tsx")).Settings);

const Panel = lazyView(async () => (await import("../features/panel/panel.tsx")).Panel);

const PersonView = lazyView(async () => (await import("../features/panel/person-view.tsx")).PersonView);

/** Views that have a panel. */
const panelled: readonly Route["view"][] = ["messages", "feed", "topics", "inbox", "recent"];

/** Views that visitors may open. */
const openViews: readonly Route["view"][] = ["messages", "feed", "topics", "recent", "channels", "shortcuts"];

export function Shell() {
  const hash = useHash();
  const home = useSelect((state) => state.user_settings.web_home_view);
  const { isVisitor, store } = useClient();
  const route = useMemo(() => {
    const asked = parseHash(hash) ?? homeRoute(home);
    if (isVisitor && !openViews.includes(asked.view)) return { view: "recent" as const };
    return withChannelIds(asked, store.get());
  }, [hash, home, isVisitor, store]);
  const isSidebar = useStore(showSidebar);
  useAppearance();
  usePresencePolling();
  useAnnouncing();
  useFollowing(route);
  useTimeZoneHint();
  useLinksBack();
  usePreloading();
  const hasPanel = !isVisitor && panelled.includes(route.view);
  const isPanel = useStore(showPanel) && hasPanel;
  // A panel that covers the whole view leaves it without the focus, too.
  const isNarrow = useStore(narrow);
  const isCovered = isNarrow && isPanel;
  const swipe = useSwipe(() => showSidebar.set(true));
  useEffect(() => {
    // On a phone, the sidebar comes first, unless the URL names a view.
    showSidebar.set(hash === "" || hash === "#");
    // In narrow windows the panel would cover the view that was opened from it.
    if (!isWide()) setPanel(false);
  }, [hash]);
  return (
    <div className={classes(css.shell, isSidebar && css.sidebarShown, isPanel && css.panelShown)}>
      <header className={css.skipPlace}>
        <button type="button" className={css.skip} onClick={skip}>
          {t("Skip to the messages")}
        </button>
      </header>
      {/* On a phone, it is the first screen, and there is no other main part. */}
      <div className={css.sidebarPlace} role={isSidebar && isNarrow ? "main" : undefined}>
        <Sidebar route={route} />
      </div>
      <main id="view" className={css.view} tabIndex={-1} inert={isCovered} {...swipe}>
        <ConnectionBanner />
        <NotificationOffer />
        <Suspense fallback={<div className={css.loading} aria-busy="true" />}>
          <HasPanel value={hasPanel}>
            <View route={route} />
          </HasPanel>
        </Suspense>
      </main>
      {isPanel ? (
        <Suspense fallback={<aside aria-busy="true" aria-label={t("People and details")} />}>
          <Panel route={route} />
        </Suspense>
      ) : null}
      <Title route={route} />
      <Shortcuts route={route} />
      <MessageDialogs />
      <MarkReadDialog />
      <NewMessages />
      <DateDialogs />
      <Cards />
      <StatusDialogs />
      <Lightbox />
    </div>
  );
}

function skip(): void {
  document.querySelector<HTMLElement>("#view:not([inert]), #panel")?.focus();
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case "messages":
      return <Conversation terms={route.terms} near={route.near} date={route.date} />;
    case "feed":
      return <Conversation terms={combined} />;
    case "topics":
      return <Topics key={route.channel} channel={route.channel} />;
    case "recent":
      return <Recent />;
    case "channels":
      return route.channel === undefined ? (
        <Browse />
      ) : (
        <ChannelPage channelId={route.channel} section={route.section} />
      );
    case "search":
      return <SearchView />;
    case "person":
      return <PersonView userId={route.user} />;
    case "groups":
      return <GroupsPage groupId={route.group} />;
    case "organization":
      return <Organization section={route.section} path={route.path} />;
    case "drafts":
    case "scheduled":
    case "reminders":
      return <Kept kind={route.view} />;
    case "settings":
      return <Settings section={route.section} />;
    default:
      return <Inbox />;
  }
}

/** After the first view, fetches what must open at once, so that it takes the first key that is typed into it. */
function usePreloading(): void {
  useEffect(() => {
    const timer = setTimeout(preloadParts, 2_000);
    return () => clearTimeout(timer);
  }, []);
}
