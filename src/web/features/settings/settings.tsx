import { Bell, Bot, KeyRound, Palette, PencilLine, Shield, Siren, User } from "lucide-react";
import { useState } from "react";
import type { Worded } from "@/foundation/realm/descriptions.ts";
import { personalAreas } from "@/foundation/user-settings/descriptions.ts";
import { findLanguage } from "@/text/language/languages.ts";
import { type Client, useClient, useSelect } from "../../api/client.ts";
import { language, t } from "../../lib/texts.ts";
import { duration } from "../../lib/times.ts";
import { Select } from "../../ui/field.tsx";
import { hashOf } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";
import { holdSeconds, setHoldSeconds } from "../compose/holding.ts";
import { PushSwitch } from "../notifications/push-switch.tsx";
import { SnippetSettings } from "../snippets/snippet-settings.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { AlertWords } from "./alert-words.tsx";
import { ChannelNotifications } from "./channel-notifications.tsx";
import { MutedPeople } from "./muted-people.tsx";
import { OwnBots } from "./own-bots.tsx";
import { ProfileSettings } from "./profile-settings.tsx";
import { Sectioned, type SettingsSection } from "./sectioned.tsx";
import { SettingField, type SettingValue } from "./setting-field.tsx";
import css from "./settings.module.css";

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
        <SettingGroups page="appearance" />
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
        <SettingGroups page="notifications" />
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
        <SettingGroups page="writing" />
        <Holding />
        <SnippetSettings />
      </>
    ),
  },
  { id: "bots", title: t("Bots"), icon: Bot, show: () => <OwnBots /> },
  { id: "alert-words", title: t("Alert words"), icon: Siren, show: () => <AlertWords /> },
  {
    id: "privacy",
    title: t("Privacy"),
    icon: Shield,
    show: () => (
      <>
        <SettingGroups page="privacy" />
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

type OwnValue = Exclude<SettingValue, null>;

/** Changes personal settings at once, and restores them if the server refuses. */
async function changeSetting({ api, store }: Client, name: string, value: OwnValue): Promise<void> {
  const before = store.get().user_settings[name] as OwnValue;
  const apply = (to: OwnValue) => store.change("user_settings/update", { property: name, value: to });
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

function SettingGroups({ page }: { page: (typeof personalAreas)[number]["page"] }) {
  return personalAreas
    .filter((area) => area.page === page)
    .map(({ title, rows }) => (
      <section key={title} className={css.group}>
        <h2 className={css.groupTitle}>{t(title)}</h2>
        {Object.entries<Worded>(rows).map(([name, words]) => (
          <SettingRow key={name} name={name} words={words} />
        ))}
      </section>
    ));
}

function SettingRow({ name, words }: { name: string; words: Worded }) {
  const client = useClient();
  const value = useSelect((state) => state.user_settings[name]);
  return (
    <SettingField
      words={words}
      value={value as SettingValue}
      onChange={(next) => next !== null && void changeSetting(client, name, next)}
    />
  );
}
