import { Bell, KeyRound, Palette, PencilLine, Shield, Siren, User } from "lucide-react";
import { useState } from "react";
import { Select } from "../../ui/field.tsx";
import { hashOf } from "../../ui/routes/route.ts";
import { holdSeconds, setHoldSeconds } from "../compose/holding.ts";
import { PushSwitch } from "../notifications/push-switch.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { AlertWords } from "./alert-words.tsx";
import { ChannelNotifications } from "./channel-notifications.tsx";
import { MutedPeople } from "./muted-people.tsx";
import { notifications } from "./notification-table.ts";
import { ProfileSettings } from "./profile-settings.tsx";
import { type Section, Sectioned } from "./sectioned.tsx";
import { SettingGroups } from "./setting-groups.tsx";
import css from "./settings.module.css";
import { appearance, privacy, writing } from "./table.ts";

const sections: readonly Section[] = [
  { id: "profile", title: "Profile", icon: User, show: () => <ProfileSettings /> },
  { id: "account", title: "Account", icon: KeyRound, show: () => <AccountSettings /> },
  {
    id: "appearance",
    title: "Appearance",
    icon: Palette,
    show: () => (
      <>
        <Density />
        <SettingGroups groups={appearance} />
      </>
    ),
  },
  {
    id: "notifications",
    title: "Notifications",
    icon: Bell,
    isWide: true,
    show: () => (
      <>
        <section className={css.group}>
          <h2 className={css.groupTitle}>On this device</h2>
          <PushSwitch />
        </section>
        <SettingGroups groups={notifications} />
        <ChannelNotifications />
      </>
    ),
  },
  {
    id: "writing",
    title: "Writing",
    icon: PencilLine,
    show: () => (
      <>
        <SettingGroups groups={writing} />
        <Holding />
      </>
    ),
  },
  { id: "alert-words", title: "Alert words", icon: Siren, show: () => <AlertWords /> },
  {
    id: "privacy",
    title: "Privacy",
    icon: Shield,
    show: () => (
      <>
        <SettingGroups groups={privacy} />
        <MutedPeople />
      </>
    ),
  },
];

export function Settings({ section }: { section?: string | undefined }) {
  return (
    <Sectioned
      title="Settings"
      sections={sections}
      chosen={section}
      linkTo={(id) => hashOf({ view: "settings", section: id })}
    />
  );
}

function Holding() {
  const [seconds, setSeconds] = useState(holdSeconds);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>On this device</h2>
      <Select
        label="Time to take a message back"
        hint="A message is sent when this time is over."
        value={seconds}
        choices={[
          { value: 0, label: "None: send at once" },
          { value: 5, label: "5 seconds" },
          { value: 10, label: "10 seconds" },
          { value: 30, label: "30 seconds" },
        ]}
        onChange={(next) => {
          setSeconds(next);
          setHoldSeconds(next);
        }}
      />
    </section>
  );
}

function Density() {
  const [density, setDensity] = useState(() => localStorage.getItem("density") ?? "normal");
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>On this device</h2>
      <Select
        label="Density"
        value={density}
        choices={[
          { value: "normal", label: "Comfortable" },
          { value: "compact", label: "Compact" },
        ]}
        onChange={(next) => {
          setDensity(next);
          localStorage.setItem("density", next);
          document.documentElement.dataset.density = next;
        }}
      />
    </section>
  );
}
