// The organization's settings, who may do what in it, and what new people start with: made from the descriptions that commands and console have, too.
import { Users } from "lucide-react";
import { useCallback } from "react";
import { grantAreas, ownersGrants } from "@/foundation/permissions/descriptions.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { realmAreas, type SettingArea, type Worded } from "@/foundation/realm/descriptions.ts";
import { personalAreas } from "@/foundation/user-settings/descriptions.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { goTo } from "../../ui/routes/navigation.ts";
import { hashOf } from "../../ui/routes/route.ts";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";
import { PermissionField } from "../organize/permission-field.tsx";
import { SettingField, type SettingValue } from "../settings/setting-field.tsx";

type Page = (typeof realmAreas)[number]["page"];

const onlyOwners = t("Only owners can change this.");

function SettingsPage({ page }: { page: Page }) {
  return <RealmSettings areas={realmAreas.filter((area) => area.page === page)} />;
}

export const MessagesSection = () => <SettingsPage page="messages" />;
export const NoticesSection = () => <SettingsPage page="notices" />;
export const NamesSection = () => <SettingsPage page="people" />;

/** Settings of the organization by their headings, without those that stand elsewhere on the page. */
export function RealmSettings({
  areas,
  without = [],
}: {
  areas: readonly SettingArea[];
  without?: readonly string[];
}) {
  const mayChange = useSelect(({ self }) => self.is_admin);
  return (
    <>
      {mayChange ? null : <p className={css.quiet}>{t("Only administrators can change this.")}</p>}
      {areas.map(({ title, rows }) => (
        <section key={title} className={css.group}>
          <h2 className={css.groupTitle}>{t(title)}</h2>
          {Object.entries(rows)
            .filter(([name]) => !without.includes(name))
            .map(([name, words]) => (
              <RealmSetting key={name} name={name} words={words} mayChange={mayChange} />
            ))}
        </section>
      ))}
    </>
  );
}

function RealmSetting({ name, words, mayChange }: { name: string; words: Worded; mayChange: boolean }) {
  const { api } = useClient();
  const value = useSelect(({ organization }) => organization[`realm_${name}`]) as SettingValue;
  const isOwner = useSelect(({ self }) => self.is_owner);
  const isOthers = mayChange && words.byOwners === true && !isOwner;
  const change = (to: SettingValue) =>
    api
      .patch("/realm", { [name]: to })
      .then(() => showToast({ text: t("Saved: {what}.", { what: t(words.about) }) }), showFailure);
  return (
    <SettingField
      words={words}
      value={value}
      disabled={!mayChange || isOthers}
      note={isOthers ? onlyOwners : undefined}
      onChange={(to) => void change(to)}
    />
  );
}

/** What groups are, and where. */
export function GroupsLead() {
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Groups")}</h2>
      <p className={css.quiet}>
        {t("People who are mentioned together, and to whom permissions can be given.")}
      </p>
      <div className={css.buttons}>
        <Button icon={Users} onClick={() => goTo(hashOf({ view: "groups" }))}>
          {t("Groups")}
        </Button>
      </div>
    </section>
  );
}

export function PermissionsSection() {
  const mayChange = useSelect(({ self }) => self.is_admin);
  return (
    <>
      {mayChange ? null : <p className={css.quiet}>{t("Only administrators can change this.")}</p>}
      <GroupsLead />
      {grantAreas.map(({ title, grants }) => (
        <section key={title} className={css.group}>
          <h2 className={css.groupTitle}>{t(title)}</h2>
          {Object.entries(grants).map(([name, label]) => (
            <RealmPermission key={name} name={name} label={t(label)} mayChange={mayChange} />
          ))}
        </section>
      ))}
    </>
  );
}

function RealmPermission({ name, label, mayChange }: { name: string; label: string; mayChange: boolean }) {
  const { api } = useClient();
  const value = useSelect(({ organization }) => organization[`realm_${name}`]) as GroupSettingValue;
  const isOwner = useSelect(({ self }) => self.is_owner);
  const isOthers = mayChange && !isOwner && (ownersGrants as readonly string[]).includes(name);
  const save = useCallback(
    (to: GroupSettingValue) => api.patch("/realm", { [name]: { new: to } }),
    [api, name],
  );
  return (
    <PermissionField
      kind="realm"
      name={name}
      label={label}
      value={value}
      disabled={!mayChange || isOthers}
      hint={isOthers ? onlyOwners : undefined}
      onSave={save}
    />
  );
}

export function StartSection() {
  return (
    <>
      <p className={css.quiet}>
        {t(
          "What new people start with. Those who are here keep what they have, and all can choose for themselves.",
        )}
      </p>
      {personalAreas.map(({ page, title, rows }) => (
        <section key={`${page} ${title}`} className={css.group}>
          <h2 className={css.groupTitle}>{t(title)}</h2>
          {Object.entries<Worded>(rows)
            .filter(([, { ownOnly }]) => !ownOnly)
            .map(([name, words]) => (
              <StartSetting key={name} name={name} words={words} />
            ))}
        </section>
      ))}
    </>
  );
}

function StartSetting({ name, words }: { name: string; words: Worded }) {
  const { api } = useClient();
  const value = useSelect(
    ({ organization }) =>
      (organization.realm_user_settings_defaults as Readonly<Record<string, SettingValue>>)[name],
  );
  const change = (to: SettingValue) =>
    api
      .patch("/realm/user_settings_defaults", { [name]: to })
      .then(() => showToast({ text: t("Saved: {what}.", { what: t(words.about) }) }), showFailure);
  return <SettingField words={words} value={value ?? null} onChange={(to) => void change(to)} />;
}
