import type { Deletion } from "@/operations/erasing/schema.ts";
import { sameList, useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { t } from "../../../lib/texts.ts";
import { ownerRole, type Person } from "../../../state/people.ts";
import { mayChangeAccount } from "../../../state/permissions.ts";
import type { State } from "../../../state/state.ts";
import { Tag } from "../../../ui/badge.tsx";
import { Select, TextField } from "../../../ui/field.tsx";
import { Form, useForm } from "../../../ui/form.tsx";
import { hashOf } from "../../../ui/routes/route.ts";
import { FactValue, factsOf, roleName } from "../../people/facts.tsx";
import { AccountHead, Activity } from "./account.tsx";
import { rolesToGive, whatBringingBackDoes, whatDeactivatingDoes } from "./many-people.tsx";
import css from "./people.module.css";
import { Access } from "./person-access.tsx";
import { Endings } from "./person-ending.tsx";
import { DataGroup } from "./person-export.tsx";
import { Bots, Channels, Groups } from "./person-places.tsx";
import { activityOf, useSignIn, waysOf } from "./sign-ins.ts";

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
      <AccountHead
        account={person}
        list={{ href: listLink, name: t("All people") }}
        tags={
          <>
            <Tag text={roleName(person)} />
            {isSelf ? <Tag text={t("You")} /> : null}
            {isErased ? (
              <Tag text={t("Erased")} look="warn" />
            ) : person.is_active ? null : (
              <Tag text={t("Deactivated")} look="warn" />
            )}
          </>
        }
      />
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
      {mayChange && !isSelf ? <Activation person={person} /> : null}
      {mayAct ? <Endings person={person} isSelf={isSelf} deletion={deletion} /> : null}
      {/* Last: it grows when its answer comes, and must not move what destroys from under the pointer. */}
      {mayChange && !person.is_bot ? <DataGroup person={person} /> : null}
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
  const signIn = useSignIn(person.user_id, isAdmin);
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
  const roles = useSelect(rolesToGive, sameList);
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

function Activation({ person }: { person: Person }) {
  const { api } = useClient();
  const isLast = useSelect((state) => isOnlyOwner(state, person));
  const text = isLast
    ? t("The organization needs an owner: make somebody else one first.")
    : person.is_active
      ? whatDeactivatingDoes
      : whatBringingBackDoes;
  const deactivate = () => api.delete(`/users/${person.user_id}`);
  return <Activity account={person} deactivate={deactivate} text={text} mayChange={!isLast} />;
}
