// The sidebar: views, channels, direct conversations and people.

import {
  AtSign,
  BellRing,
  Building2,
  CalendarClock,
  ChevronDown,
  Clock,
  FilePen,
  Flag,
  Inbox as InboxIcon,
  Keyboard,
  LogOut,
  type LucideIcon,
  Rows3,
  Search,
  Settings as SettingsIcon,
  SmilePlus,
  Star,
  UserPlus,
} from "lucide-react";
import { useClient, useSelect } from "../../api/client.ts";
import { useOpenReports } from "../../api/open-reports.ts";
import { classes } from "../../lib/classes.ts";
import { useFolded } from "../../lib/collapse.ts";
import { formatKeys } from "../../lib/keys.ts";
import { useStore } from "../../lib/observable.ts";
import { narrow } from "../../lib/panes.ts";
import { useRoving } from "../../lib/roving.ts";
import { t } from "../../lib/texts.ts";
import { term } from "../../state/narrows.ts";
import { mayInvite, mayMakeLinks } from "../../state/permissions.ts";
import type { State } from "../../state/state.ts";
import { mentionTotal, unreadTotal } from "../../state/unread.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge, type BadgeProps } from "../../ui/badge.tsx";
import { useIsLost } from "../../ui/connection-banner.tsx";
import { Menu } from "../../ui/menu.tsx";
import { goTo, linkTo, useHash } from "../../ui/routes/navigation.ts";
import { hashOf, type Route } from "../../ui/routes/route.ts";
import { openPalette } from "../commands/palette-open.ts";
import { FirstDay } from "../first-day/first-day.tsx";
import { mayAskToAnnounce } from "../notifications/announcing.ts";
import { openStatusDialog } from "../people/status.tsx";
import { StatusLine } from "../people/status-line.tsx";
import { signOut } from "../sign-in/signing-out.ts";
import { Channels } from "./channels.tsx";
import { Directs } from "./directs.tsx";
import { People } from "./people.tsx";
import { usePlaceMenu } from "./place-menu.tsx";
import css from "./sidebar.module.css";

export function Sidebar({ route }: { route: Route }) {
  const roving = useRoving<HTMLElement>();
  const { isVisitor } = useClient();
  const { menu, handlers } = usePlaceMenu();
  const isNarrow = useStore(narrow);
  return (
    <nav className={css.sidebar} aria-label={t("Conversations")} {...handlers} {...roving}>
      <Head />
      <div className={css.scroller}>
        {isNarrow ? <FirstDay /> : null}
        <Views route={route} />
        {isVisitor ? null : <Directs route={route} />}
        <Channels route={route} />
        {isVisitor ? null : <People />}
      </div>
      {menu}
    </nav>
  );
}

function Head() {
  const client = useClient();
  const organization = useSelect((state) => state.organization);
  const self = useSelect((state) => state.self);
  const invites = useSelect((state) => mayInvite(state) || mayMakeLinks(state));
  const hash = useHash();
  const isLost = useIsLost();
  const isNarrow = useStore(narrow);
  const open = (route: Route) => () => goTo(hashOf(route));
  const leave = async () => {
    await signOut(client);
    location.assign("/");
  };
  return (
    <div className={css.head}>
      <img className={css.icon} src={organization.realm_icon_url} alt="" width={28} height={28} />
      <div className={css.names}>
        {isNarrow ? (
          <h1 className={css.realm}>{organization.realm_name}</h1>
        ) : (
          <p className={css.realm}>{organization.realm_name}</p>
        )}
        <StatusLine userId={self.user_id} className={css.ownStatus} />
      </div>
      {client.isVisitor ? (
        <a className={css.signIn} href={`/login${hash}`} data-row>
          {t("Sign in")}
        </a>
      ) : (
        <Menu
          label={t("You and the organization")}
          trigger={
            <button
              type="button"
              className={css.self}
              aria-label={
                isLost
                  ? t("{name}, you are not connected", { name: self.full_name })
                  : t("{name}, you are connected", { name: self.full_name })
              }
              data-row
            >
              <Avatar src={self.avatar_url ?? ""} size={24} presence={isLost ? "offline" : "active"} />
              <ChevronDown size={14} strokeWidth={1.5} aria-hidden="true" />
            </button>
          }
          items={[
            { title: self.full_name },
            { label: t("Set a status"), icon: SmilePlus, onSelect: openStatusDialog },
            { label: t("Settings"), icon: SettingsIcon, onSelect: open({ view: "settings" }) },
            { label: t("Organization"), icon: Building2, onSelect: open({ view: "organization" }) },
            ...(invites
              ? [
                  {
                    label: t("Invite people"),
                    icon: UserPlus,
                    onSelect: open({ view: "organization", section: "invitations" }),
                  },
                ]
              : []),
            {
              label: t("Keyboard shortcuts"),
              icon: Keyboard,
              keys: "?",
              onSelect: open({ view: "shortcuts" }),
            },
            ...(mayAskToAnnounce()
              ? [
                  {
                    label: t("Turn on notifications"),
                    icon: BellRing,
                    onSelect: () => void Notification.requestPermission(),
                  },
                ]
              : []),
            "line",
            { label: t("Sign out"), icon: LogOut, onSelect: () => void leave() },
          ]}
        />
      )}
      <button type="button" className={css.search} onClick={() => openPalette()} data-row>
        <Search size={16} strokeWidth={1.5} aria-hidden="true" />
        <span>{t("Go to or search")}</span>
        <kbd className={css.keys} dir="ltr">
          {formatKeys("$mod+k")}
        </kbd>
      </button>
    </div>
  );
}

interface ViewRow {
  name: string;
  icon: LucideIcon;
  route: Route;
  /** How many entries the view has. */
  count: (state: State) => number;
  look?: "mention";
  /** What is counted, if not unread messages. */
  what?: BadgeProps["what"];
  /** Shown even while the view is empty. */
  isFirst?: boolean;
  /** Also for visitors. */
  isOpen?: boolean;
  /** Not even under "More views" while the view is empty. */
  isRare?: boolean;
}

const views: readonly ViewRow[] = [
  {
    name: t("Inbox"),
    icon: InboxIcon,
    route: { view: "inbox" },
    count: unreadTotal,
    isFirst: true,
  },
  {
    name: t("Recent conversations"),
    icon: Clock,
    route: { view: "recent" },
    count: () => 0,
    isFirst: true,
    isOpen: true,
  },
  {
    name: t("Mentions"),
    icon: AtSign,
    route: { view: "messages", terms: [term("is", "mentioned")] },
    count: mentionTotal,
    look: "mention",
    isFirst: true,
  },
  {
    name: t("Starred"),
    icon: Star,
    route: { view: "messages", terms: [term("is", "starred")] },
    count: (state) => (state.user_settings.starred_message_counts ? state.starred_messages.length : 0),
    what: "starred",
  },
  {
    name: t("Drafts"),
    icon: FilePen,
    route: { view: "drafts" },
    count: (state) => Object.keys(state.drafts).length,
    what: "drafts",
  },
  { name: t("Combined feed"), icon: Rows3, route: { view: "feed" }, count: () => 0, isOpen: true },
  {
    name: t("Scheduled"),
    icon: CalendarClock,
    route: { view: "scheduled" },
    count: (state) => Object.keys(state.scheduled_messages).length,
    what: "scheduled",
  },
  {
    name: t("Reminders"),
    icon: BellRing,
    route: { view: "reminders" },
    count: (state) => Object.keys(state.reminders).length,
    what: "reminders",
  },
];

/** Reports of messages, for those who decide about them. */
const reports: ViewRow = {
  name: t("Reports"),
  icon: Flag,
  route: { view: "organization", section: "reports" },
  count: () => 0,
  what: "reports",
  isRare: true,
};

const isSame = (a: Route, b: Route) => hashOf(a) === hashOf(b);

function Views({ route }: { route: Route }) {
  // The device remembers that they are shown: at first they are not.
  const [isOpen, setOpen] = useFolded("More views");
  const counts = useSelect(
    (state) => views.map(({ count }) => count(state)),
    (a, b) => a.every((count, i) => count === b[i]),
  );
  const { isVisitor } = useClient();
  const openReports = useOpenReports();
  const rows = [...views, reports]
    .map((view, i) => ({ ...view, shown: view === reports ? openReports : (counts[i] ?? 0) }))
    .filter(({ isOpen: isForAll, isRare, shown }) => (!isVisitor || isForAll) && (!isRare || shown > 0));
  const isInView = (row: (typeof rows)[number]) => row.isFirst || row.shown > 0 || isSame(row.route, route);
  const [first, more] = [rows.filter(isInView), rows.filter((row) => !isInView(row))];
  return (
    <section className={css.section} aria-label={t("Views")}>
      <ul className={css.list}>
        {[...first, ...(isOpen ? more : [])].map((row) => (
          <ViewLink key={row.name} row={row} isCurrent={isSame(row.route, route)} />
        ))}
      </ul>
      {more.length > 0 ? (
        <button
          type="button"
          className={css.more}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          data-row
        >
          {isOpen ? t("Fewer views") : t("More views")}
        </button>
      ) : null}
    </section>
  );
}

function ViewLink({ row, isCurrent }: { row: ViewRow & { shown: number }; isCurrent: boolean }) {
  const { store } = useClient();
  const { name, icon: Icon, route, shown, look = "quiet", what } = row;
  return (
    <li>
      <a
        className={classes(css.row, isCurrent && css.current)}
        href={linkTo(route, store.get())}
        aria-current={isCurrent ? "page" : undefined}
        data-row
      >
        <Icon size={16} strokeWidth={1.5} aria-hidden="true" className={css.mark} />
        <span className={css.name}>{name}</span>
        <Badge count={shown} look={look} {...(what !== undefined && { what })} />
      </a>
    </li>
  );
}
