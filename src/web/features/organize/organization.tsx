import { Folder, Mail, Smile, Users } from "lucide-react";
import { hashOf } from "../../ui/routes/route.ts";
import { Sectioned, type SettingsSection } from "../settings/sectioned.tsx";
import { EmojiSection } from "./emoji-section.tsx";
import { FoldersSection } from "./folders-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { InvitationsSection } from "./invitations-section.tsx";

const sections: readonly SettingsSection[] = [
  { id: "general", title: "General", icon: Users, show: () => <GeneralSection /> },
  { id: "invitations", title: "Invitations", icon: Mail, show: () => <InvitationsSection /> },
  { id: "folders", title: "Folders", icon: Folder, show: () => <FoldersSection /> },
  { id: "emoji", title: "Emoji", icon: Smile, show: () => <EmojiSection /> },
];

export function Organization({ section }: { section?: string | undefined }) {
  return (
    <Sectioned
      title="Organization"
      sections={sections}
      chosen={section}
      linkTo={(id) => hashOf({ view: "organization", section: id })}
    />
  );
}
