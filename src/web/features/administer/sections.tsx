// The sections of an organization's administration, in the order of the list. README.md says how to add one.
import {
  Bot,
  ChartLine,
  DoorOpen,
  Download,
  Files,
  Flag,
  Folder,
  Hourglass,
  House,
  IdCard,
  KeyRound,
  Link2,
  ListChecks,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageSquare,
  Play,
  ScrollText,
  Server,
  ShieldCheck,
  Smile,
  UserRoundCog,
  Users,
} from "lucide-react";
import type { ComponentType } from "react";
import { useOpenReports } from "../../api/open-reports.ts";
import { t } from "../../lib/texts.ts";
import {
  mayAddEmoji,
  mayInvite,
  mayMakeLinks,
  mayMakeWritingBots,
  mayModerate,
} from "../../state/permissions.ts";
import type { State } from "../../state/state.ts";
import { Badge } from "../../ui/badge.tsx";
import { lazyView } from "../../ui/on-demand.tsx";
import type { SectionProps } from "../settings/sectioned.tsx";

export interface AdministerSection {
  id: string;
  title: string;
  icon: LucideIcon;
  /** The heading in the list. */
  group: string;
  /** Who may do something there: others are not offered it. */
  may: (state: State) => boolean;
  /** What a link to it says to others: who may. */
  refusal: string;
  /** `whole` for a table. */
  width?: "normal" | "wide" | "whole";
  Page: ComponentType<SectionProps>;
  /** Stands behind its title in the list. */
  Mark?: ComponentType;
}

const groups = {
  organization: t("Organization"),
  people: t("People"),
  content: t("Content"),
  watching: t("Watching"),
  server: t("Server"),
} as const;

const settings = () => import("./settings-sections.tsx");

const isAdministrator = ({ self }: State) => self.is_admin;

const everybody = { may: () => true, refusal: "" };

const administrators = {
  may: isAdministrator,
  refusal: t("Only administrators and owners may use this."),
};

function OpenReports() {
  return <Badge count={useOpenReports()} what="reports" />;
}

export const sections: readonly AdministerSection[] = [
  {
    id: "general",
    title: t("General"),
    icon: House,
    group: groups.organization,
    ...everybody,
    Page: lazyView(async () => (await import("./general-section.tsx")).GeneralSection),
  },
  {
    id: "permissions",
    title: t("Permissions"),
    icon: ShieldCheck,
    group: groups.organization,
    ...everybody,
    Page: lazyView(async () => (await settings()).PermissionsSection),
  },
  {
    id: "messages",
    title: t("Messages"),
    icon: MessageSquare,
    group: groups.organization,
    ...administrators,
    Page: lazyView(async () => (await settings()).MessagesSection),
  },
  {
    id: "notices",
    title: t("Announcements"),
    icon: Megaphone,
    group: groups.organization,
    ...administrators,
    Page: lazyView(async () => (await settings()).NoticesSection),
  },
  {
    id: "retention",
    title: t("Keeping messages"),
    icon: Hourglass,
    group: groups.organization,
    may: ({ self }) => self.is_owner,
    refusal: t("Only owners decide how long messages are kept."),
    width: "wide",
    Page: lazyView(async () => (await import("./retention-section.tsx")).RetentionSection),
  },
  {
    id: "people",
    title: t("People"),
    icon: Users,
    group: groups.people,
    may: ({ self }) => self.is_moderator,
    refusal: t("Only moderators, administrators and owners see this."),
    width: "whole",
    Page: lazyView(async () => (await import("./people/people-section.tsx")).PeopleSection),
  },
  {
    id: "bots",
    title: t("Bots"),
    icon: Bot,
    group: groups.people,
    may: (state) =>
      isAdministrator(state) ||
      mayMakeWritingBots(state) ||
      Object.keys(state.organization.realm_bots ?? {}).length > 0,
    refusal: t("You have no bots, and may not make any."),
    width: "whole",
    Page: lazyView(async () => (await import("./bots/bots-section.tsx")).BotsSection),
  },
  {
    id: "joining",
    title: t("Joining"),
    icon: DoorOpen,
    group: groups.people,
    ...administrators,
    Page: lazyView(async () => (await import("./joining-section.tsx")).JoiningSection),
  },
  {
    id: "signing-in",
    title: t("Signing in"),
    icon: KeyRound,
    group: groups.people,
    ...administrators,
    Page: lazyView(async () => (await import("./sign-in-section.tsx")).SignInSection),
  },
  {
    id: "names",
    title: t("Names and guests"),
    icon: IdCard,
    group: groups.people,
    ...administrators,
    Page: lazyView(async () => (await settings()).NamesSection),
  },
  {
    id: "profile-fields",
    title: t("Profile fields"),
    icon: ListChecks,
    group: groups.people,
    ...administrators,
    Page: lazyView(async () => (await import("./profile-fields-section.tsx")).ProfileFieldsSection),
  },
  {
    id: "start",
    title: t("Settings of new people"),
    icon: UserRoundCog,
    group: groups.people,
    ...administrators,
    Page: lazyView(async () => (await settings()).StartSection),
  },
  {
    id: "invitations",
    title: t("Invitations"),
    icon: Mail,
    group: groups.people,
    may: (state) => isAdministrator(state) || mayInvite(state) || mayMakeLinks(state),
    refusal: t("You cannot invite people here. Ask an administrator to invite them."),
    width: "whole",
    Page: lazyView(async () => (await import("./invitations-section.tsx")).InvitationsSection),
  },
  {
    id: "folders",
    title: t("Folders"),
    icon: Folder,
    group: groups.content,
    ...administrators,
    Page: lazyView(async () => (await import("./folders-section.tsx")).FoldersSection),
  },
  {
    id: "linkifiers",
    title: t("Linkifiers"),
    icon: Link2,
    group: groups.content,
    ...administrators,
    Page: lazyView(async () => (await import("./linkifiers-section.tsx")).LinkifiersSection),
  },
  {
    id: "playgrounds",
    title: t("Code playgrounds"),
    icon: Play,
    group: groups.content,
    ...administrators,
    Page: lazyView(async () => (await import("./playgrounds-section.tsx")).PlaygroundsSection),
  },
  {
    id: "emoji",
    title: t("Emoji"),
    icon: Smile,
    group: groups.content,
    may: (state) =>
      mayAddEmoji(state) ||
      Object.values(state.realm_emoji).some(({ author_id }) => author_id === state.self.user_id),
    refusal: t("You cannot add emoji here."),
    Page: lazyView(async () => (await import("./emoji-section.tsx")).EmojiSection),
  },
  {
    id: "reports",
    title: t("Reports"),
    icon: Flag,
    group: groups.watching,
    may: mayModerate,
    refusal: t("Only moderators, administrators and owners see this."),
    width: "whole",
    Mark: OpenReports,
    Page: lazyView(async () => (await import("./reports/reports-section.tsx")).ReportsSection),
  },
  {
    id: "audit",
    title: t("Audit log"),
    icon: ScrollText,
    group: groups.watching,
    may: isAdministrator,
    refusal: t("Only administrators and owners see the audit log."),
    width: "whole",
    Page: lazyView(async () => (await import("./audit-section.tsx")).AuditSection),
  },
  {
    id: "statistics",
    title: t("Statistics"),
    icon: ChartLine,
    group: groups.watching,
    ...administrators,
    width: "wide",
    Page: lazyView(async () => (await import("./statistics-section.tsx")).StatisticsSection),
  },
  {
    id: "files",
    title: t("Files"),
    icon: Files,
    group: groups.watching,
    may: ({ self }) => self.is_owner,
    refusal: t("Only owners see the files of others."),
    width: "whole",
    Page: lazyView(async () => (await import("./files-section.tsx")).FilesSection),
  },
  {
    id: "exports",
    title: t("Exports"),
    icon: Download,
    group: groups.watching,
    ...administrators,
    Page: lazyView(async () => (await import("./exports-section.tsx")).ExportsSection),
  },
  {
    id: "server",
    title: t("Server"),
    icon: Server,
    group: groups.server,
    may: ({ self }) => self.is_owner,
    refusal: t("Only owners see the server."),
    width: "wide",
    Page: lazyView(async () => (await import("./server-section.tsx")).ServerSection),
  },
];
