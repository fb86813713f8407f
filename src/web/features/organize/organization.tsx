import { Folder, Mail, Smile, Users } from "lucide-react";
import { t } from "../../lib/texts.ts";
import { hashOf } from "../../ui/routes/route.ts";
import { Sectioned, type SettingsSection } from "../settings/sectioned.tsx";
import { EmojiSection } from "./emoji-section.tsx";
import { FoldersSection } from "./folders-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { InvitationsSection } from "./invitations-section.tsx";

const sections: readonly SettingsSection[] = [
  { id: "general", title: t("General"), icon: Users, show: () => <GeneralSection /> },
  { id: "invitations", title: t("Invitations"), icon: Mail, show: () => <InvitationsSection /> },
  { id: "folders", title: t("Folders"), icon: Folder, show: () => <FoldersSection /> },
  { id: "emoji", title: t("Emoji"), icon: Smile, show: () => <EmojiSection /> },
];

export function Organization({ section }: { section?: string | undefined }) {
  return (
    <Sectioned
      title={t("Organization")}
      sections={sections}
      chosen={section}
      linkTo={(id) => hashOf({ view: "organization", section: id })}
    />
  );
}
