import { useState } from "react";
import type { SignIn } from "@/foundation/login/schema.ts";
import type { Deletion } from "@/operations/erasing/schema.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { t } from "../../../lib/texts.ts";
import { ownerRole, type Person } from "../../../state/people.ts";
import { mayChangeAccount } from "../../../state/permissions.ts";
import type { State } from "../../../state/state.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Tag } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import { Form, useForm } from "../../../ui/form.tsx";
import { goTo } from "../../../ui/routes/navigation.ts";
import { hashOf } from "../../../ui/routes/route.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { FactValue, factsOf, roleName } from "../../people/facts.tsx";
import { rolesToGive, whatDeactivatingDoes } from "./many-people.tsx";
import css from "./people.module.css";
import { Access } from "./person-access.tsx";
import { Endings } from "./person-ending.tsx";
import { Bots, Channels, Groups } from "./person-places.tsx";
import { activityOf, waysOf } from "./sign-ins.ts";

const listLink = hashOf({ view: "organization", section: "people" });

/** What there is to know of a person, and to change: as far as the one who looks may. */
export function PersonPage({ person }: { person: Person }) {
  const isSelf = useSelect(({ self }) => self.user_id === person.user_id);
  const isAdmin = useSelect(({ self }) => self.is_admin);
  const mayAct = useSelect((state) => mayChangeAccount(state, person));
  const deletion = useLoaded<Deletion>(mayAct && !isSelf ? `/users/${person.user_id}/deletion` : null, {
    renewOn: ["realm_user"],
  });
  const isErased = deletion.value?.is_erased === true;
  const mayChange = mayAct && !isErased;
  return (
    <div className={css.page}>
      <a className={css.back} href={listLink}>
        {t("All people")}
      </a>
      <header className={css.head}>
        <Avatar src={person.avatar_url ?? `/avatar/${person.user_id}/medium`} size={64} />
        <div className={css.headText}>
          <h2 className={css.title}>
            <bdi>{person.full_name}</bdi>
          </h2>
          <p className={css.tags}>
            <Tag text={roleName(person)} />
            {isSelf ? <Tag text={t("You")} /> : null}
            {isErased ? (
              <Tag text={t("Erased")} look="warn" />
            ) : person.is_active ? null : (
              <Tag text={t("Deactivated")} look="warn" />
            )}
          </p>
        </div>
        <Button size="small" onClick={() => goTo(hashOf({ view: "person", user: person.user_id }))}>
          {t("Profile")}
        </Button>
      </header>
      <Facts person={person} isAdmin={isAdmin} hasForm={mayChange} />
      {mayChange ? (
        <Account person={person} isSelf={isSelf} />
      ) : (
        <Refusal person={person} isErased={isErased} />
      )}
      <Groups person={person} />
      {person.is_active ? <Channels person={person} /> : null}
      {person.is_bot ? null : <Bots person={person} />}
      {mayChange && person.is_active && !isSelf ? <Access person={person} /> : null}
      {mayChange && !isSelf ? <Activity person={person} /> : null}
      {mayAct ? <Endings person={person} isSelf={isSelf} deletion={deletion} /> : null}
    </div>
  );
}

function Refusal({ person, isErased }: { person: Person; isErased: boolean }) {
  const isAdmin = useSelect(({ self }) => self.is_admin);
  const refusal = isErased
    ? t("This person was erased. Nobody can change or reopen the account.")
    : person.is_system_bot
      ? t("The server’s own bots cannot be changed.")
      : isAdmin
        ? t("Only owners change the accounts of owners.")
        : t("Only administrators and owners change accounts.");
  return <p className={css.quiet}>{refusal}</p>;
}

interface FactsProps {
  person: Person;
  isAdmin: boolean;
  /** Whether a form below has their address. */
  hasForm: boolean;
}

function Facts({ person, isAdmin, hasForm }: FactsProps) {
  const { store } = useClient();
  const after = person.user_id - 1;
  const { value } = useLoaded<{ sign_ins: SignIn[] }>(isAdmin ? "/users/sign_ins" : null, {
    params: { after, limit: 1 },
  });
  const signIn = value?.sign_ins.find(({ user_id }) => user_id === person.user_id);
  const facts = factsOf(store.get(), person).filter(({ name }) => !hasForm || name !== t("Email"));
  const ways = signIn ? waysOf(signIn) : "";
  return (
    <dl className={css.facts}>
      {facts.map((fact) => (
        <div key={fact.name}>
          <dt>{fact.name}</dt>
          <dd>
            <FactValue {...fact} />
          </dd>
        </div>
      ))}
      {isAdmin ? (
        <div>
          <dt>{t("Last active")}</dt>
          <dd>{signIn ? activityOf(signIn) : "…"}</dd>
        </div>
      ) : null}
      {isAdmin && !person.is_bot ? (
        <div>
          <dt>{t("Signs in by")}</dt>
          <dd>{signIn ? ways || t("Nothing yet") : "…"}</dd>
        </div>
      ) : null}
    </dl>
  );
}

/** Whether nobody else owns the organization. */
function isOnlyOwner({ users }: State, { user_id, role, is_active }: Person): boolean {
  const isOther = (one: Person) =>
    one.role === ownerRole && one.is_active && !one.is_bot && one.user_id !== user_id;
  return role === ownerRole && is_active && !Object.values(users).some(isOther);
}

/** Name, role and address. */
function Account({ person, isSelf }: { person: Person; isSelf: boolean }) {
  const { api } = useClient();
  const { user_id, full_name, role, delivery_email, is_bot } = person;
  const roles = useSelect(rolesToGive, (a, b) => a.length === b.length);
  const isLast = useSelect((state) => isOnlyOwner(state, person));
  const isOwner = useSelect(({ self }) => self.is_owner);
  const mayChangeAddress = isOwner && !isSelf && !is_bot;
  const form = useForm({
    saved: { full_name, new_email: delivery_email ?? "", role },
    labels: { full_name: t("Name"), new_email: t("Email address"), role: t("Role") },
    save: (changed) => api.patch(`/users/${user_id}`, changed),
  });
  const addressHint = isSelf
    ? t("Change your own address in your settings.")
    : t("Only owners change the addresses of others.");
  return (
    <Form form={form}>
      <TextField {...form.field("full_name")} maxLength={100} />
      {is_bot ? null : (
        <TextField
          {...form.field("new_email")}
          type="email"
          dir="ltr"
          autoComplete="off"
          readOnly={!mayChangeAddress}
          {...(mayChangeAddress ? {} : { hint: addressHint })}
        />
      )}
      {is_bot ? null : (
        <Select
          {...form.field("role")}
          choices={roles}
          disabled={isLast}
          hint={isLast ? t("The organization needs an owner: make somebody else one first.") : undefined}
        />
      )}
    </Form>
  );
}

/** Deactivating the account, and bringing it back. */
function Activity({ person }: { person: Person }) {
  const { api } = useClient();
  const { user_id, full_name, is_active } = person;
  const isLast = useSelect((state) => isOnlyOwner(state, person));
  const [isAsking, setAsking] = useState(false);
  const name = full_name;
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{is_active ? t("Deactivating") : t("Bringing back")}</h2>
      <p className={css.quiet}>
        {isLast
          ? t("The organization needs an owner: make somebody else one first.")
          : is_active
            ? whatDeactivatingDoes
            : t("They can sign in again, with the role they had.")}
      </p>
      {isLast ? null : (
        <div className={css.buttons}>
          <Button look={is_active ? "danger" : "plain"} onClick={() => setAsking(true)}>
            {is_active ? t("Deactivate …") : t("Bring back …")}
          </Button>
        </div>
      )}
      {isAsking ? (
        <Confirm
          title={is_active ? t("Deactivate {name}?", { name }) : t("Bring {name} back?", { name })}
          action={is_active ? t("Deactivate") : t("Bring back")}
          danger={is_active}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            if (is_active) await api.delete(`/users/${user_id}`);
            else await api.post(`/users/${user_id}/reactivate`);
            showToast({
              text: is_active ? t("{name} is deactivated.", { name }) : t("{name} is back.", { name }),
            });
          }}
        >
          <p>{is_active ? whatDeactivatingDoes : t("They can sign in again, with the role they had.")}</p>
        </Confirm>
      ) : null}
    </section>
  );
}
