import { Bell, KeyRound, Palette, PencilLine, Shield, Siren, User } from "lucide-react";
import { useState } from "react";
import { findLanguage } from "@/text/language/languages.ts";
import { type Client, useClient, useSelect } from "../../api/client.ts";
import { language, t } from "../../lib/texts.ts";
import { duration } from "../../lib/times.ts";
import { Select, Switch } from "../../ui/field.tsx";
import { hashOf } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";
import { holdSeconds, setHoldSeconds } from "../compose/holding.ts";
import { PushSwitch } from "../notifications/push-switch.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { AlertWords } from "./alert-words.tsx";
import { ChannelNotifications } from "./channel-notifications.tsx";
import { MutedPeople } from "./muted-people.tsx";
import { notifications } from "./notification-table.ts";
import { ProfileSettings } from "./profile-settings.tsx";
import { Sectioned, type SettingsSection } from "./sectioned.tsx";
import css from "./settings.module.css";
import { appearance, privacy, type SettingEntry, type SettingGroup, writing } from "./table.ts";

const sections: readonly SettingsSection[] = [
  { id: "profile", title: t("Profile"), icon: User, show: () => <ProfileSettings /> },
  { id: "account", title: t("Account"), icon: KeyRound, show: () => <AccountSettings /> },
  {
    id: "appearance",
    title: t("Appearance"),
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
    title: t("Notifications"),
    icon: Bell,
    width: "wide",
    show: () => (
      <>
        <section className={css.group}>
          <h2 className={css.groupTitle}>{t("On this device")}</h2>
          <PushSwitch />
        </section>
        <SettingGroups groups={notifications} />
        <ChannelNotifications />
      </>
    ),
  },
  {
    id: "writing",
    title: t("Writing"),
    icon: PencilLine,
    show: () => (
      <>
        <SettingGroups groups={writing} />
        <Holding />
      </>
    ),
  },
  { id: "alert-words", title: t("Alert words"), icon: Siren, show: () => <AlertWords /> },
  {
    id: "privacy",
    title: t("Privacy"),
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
      title={t("Settings")}
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
      <h2 className={css.groupTitle}>{t("On this device")}</h2>
      <Select
        label={t("Time to take a message back")}
        hint={t("A message is sent when this time is over.")}
        value={seconds}
        choices={[
          { value: 0, label: t("None: send at once") },
          { value: 5, label: duration(5) },
          { value: 10, label: duration(10) },
          { value: 30, label: duration(30) },
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
      <h2 className={css.groupTitle}>{t("On this device")}</h2>
      <Select
        label={t("Density")}
        value={density}
        choices={[
          { value: "normal", label: t("Comfortable") },
          { value: "compact", label: t("Compact") },
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

type SettingValue = boolean | string | number;

/** Changes personal settings at once, and restores them if the server refuses. */
async function changeSetting({ api, store }: Client, name: string, value: SettingValue): Promise<void> {
  const before = store.get().user_settings[name] as SettingValue;
  const apply = (to: SettingValue) => store.change("user_settings/update", { property: name, value: to });
  apply(value);
  try {
    await api.patch("/settings", { [name]: value });
    // The page says everything in the language with which it was loaded.
    if (name === "default_language" && findLanguage(String(value)) !== language) location.reload();
  } catch (error) {
    apply(before);
    showFailure(error);
  }
}

function SettingGroups({ groups }: { groups: readonly SettingGroup[] }) {
  return groups.map(({ title, rows }) => (
    <section key={title} className={css.group}>
      <h2 className={css.groupTitle}>{title}</h2>
      {rows.map((row) => (
        <SettingRow key={row.name} row={row} />
      ))}
    </section>
  ));
}

function SettingRow({ row }: { row: SettingEntry }) {
  const client = useClient();
  const value = useSelect((state) => state.user_settings[row.name]);
  const change = (next: SettingValue) => void changeSetting(client, row.name, next);
  if (row.kind === "switch") {
    return <Switch label={row.label} hint={row.hint} checked={value === true} onChange={change} />;
  }
  const isListed = row.choices.some((choice) => choice.value === value);
  const own = isListed ? [] : [{ value: value as string | number, label: String(value) }];
  return (
    <Select
      label={row.label}
      hint={row.hint}
      value={value as string | number}
      choices={[...row.choices, ...own]}
      onChange={change}
    />
  );
}
