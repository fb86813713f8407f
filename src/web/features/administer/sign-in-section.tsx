// By which ways people may sign in: what the server offers, what is on, and who would be left without one before it is turned off.
import { useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { listNames, t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/field.tsx";
import { Failing, Loading } from "../../ui/loading.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";
import { useSignIns } from "./people/sign-ins.ts";

/** As the API calls the ways. */
const passwords = "Email";
const providers = "OpenID Connect";

type Way = typeof passwords | typeof providers;

const wayNames: Readonly<Record<Way, string>> = {
  [passwords]: t("Address and password"),
  [providers]: t("Single sign-on"),
};

export function SignInSection() {
  const { api } = useClient();
  const methods = useSelect(({ organization }) => organization.realm_authentication_methods);
  const isOwner = useSelect(({ self }) => self.is_owner);
  const [ending, setEnding] = useState<Way | null>(null);
  const on = Object.keys(methods).filter((way) => methods[way]?.enabled);
  const set = async (way: Way, to: boolean) => {
    const authentication_methods = Object.fromEntries(
      Object.entries(methods).map(([name, { enabled }]) => [name, name === way ? to : enabled]),
    );
    await api.patch("/realm", { authentication_methods });
    showToast({ text: t("Saved: {what}.", { what: wayNames[way] }) });
  };
  const isLast = (way: Way) => on.length === 1 && on[0] === way;
  const switchOf = (way: Way) => (
    <Switch
      label={wayNames[way]}
      hint={isOwner && isLast(way) ? t("The last way stays on.") : undefined}
      checked={methods[way]?.enabled === true}
      disabled={!isOwner || isLast(way) || methods[way]?.available !== true}
      onChange={(to) => (to ? void set(way, true).catch(showFailure) : setEnding(way))}
    />
  );
  return (
    <>
      <section className={css.group}>
        <h2 className={css.groupTitle}>{t("Ways to sign in")}</h2>
        {isOwner ? null : <p className={css.quiet}>{t("Only owners can change this.")}</p>}
        {switchOf(passwords)}
        {switchOf(providers)}
        {methods[providers]?.available ? (
          <Providers />
        ) : (
          <p className={css.quiet}>
            {t("For single sign-on, whoever runs the server names a provider in its configuration.")}
          </p>
        )}
      </section>
      <TwoStep isOwner={isOwner} />
      {ending ? (
        <Ending way={ending} onEnd={() => set(ending, false)} onClose={() => setEnding(null)} />
      ) : null}
    </>
  );
}

interface ServerSettings {
  external_authentication_methods: { name: string; display_name: string }[];
}

/** Which ones the server's configuration names, as far as they are offered. */
function Providers() {
  const isOn = useSelect(({ organization }) => organization.realm_authentication_methods[providers]?.enabled);
  const { value } = useLoaded<ServerSettings>(isOn ? "/server_settings" : null);
  const names = value?.external_authentication_methods.map(({ display_name }) => display_name) ?? [];
  if (names.length === 0) return null;
  return (
    <p className={css.quiet}>
      {t("At {providers}, as the server’s configuration says.", { providers: listNames(names) })}
    </p>
  );
}

interface EndingProps {
  way: Way;
  onEnd: () => Promise<void>;
  onClose: () => void;
}

/** Says who has no other way so far. Those who have none themselves are not let do it: they could lock themselves out. */
function Ending({ way, onEnd, onClose }: EndingProps) {
  const { signIns, problem, again } = useSignIns(true);
  const people = useSelect(({ users }) => users);
  const self = useSelect(({ self: { user_id } }) => user_id);
  const active = Object.values(people).filter(({ is_active, is_bot }) => is_active && !is_bot);
  const title = t("Turn off {way}?", { way: wayNames[way] });
  const hasOther = (id: number) => {
    const signIn = signIns.get(id);
    return way === passwords ? (signIn?.providers.length ?? 0) > 0 : signIn?.has_password === true;
  };
  const isLoaded = active.every(({ user_id }) => signIns.has(user_id));
  if (!isLoaded || !hasOther(self))
    return (
      <Dialog
        title={title}
        width="small"
        onClose={onClose}
        actions={<Button onClick={onClose}>{t("Close")}</Button>}
      >
        {isLoaded ? (
          <p>
            {way === passwords
              ? t(
                  "You have not signed in at a provider yet. Do that first: otherwise you might lock yourself out.",
                )
              : t(
                  "You have no password yet. Choose one in your settings first: otherwise you would lock yourself out.",
                )}
          </p>
        ) : problem ? (
          <Failing problem={problem} again={again} />
        ) : (
          <Skeleton lines={2} />
        )}
      </Dialog>
    );
  const without = active.filter(({ user_id }) => !hasOther(user_id)).length;
  return (
    <Confirm title={title} action={t("Turn off")} danger onConfirm={onEnd} onClose={onClose}>
      <p>
        {without === 0
          ? t("Everybody has signed in in another way, or can.")
          : way === passwords
            ? t(
                "{count, plural, one {# person has never signed in at a provider, and can only go on if it knows their address.} other {# people have never signed in at a provider, and can only go on if it knows their addresses.}}",
                { count: without },
              )
            : t(
                "{count, plural, one {# person has no password, and needs one to sign in again.} other {# people have no password, and need one to sign in again.}}",
                { count: without },
              )}
      </p>
      <p>{t("Who is signed in stays signed in, and keys for programs work on.")}</p>
    </Confirm>
  );
}

interface Demand {
  people_without: number;
}

function TwoStep({ isOwner }: { isOwner: boolean }) {
  const { api } = useClient();
  const demand = useLoaded<Demand>("/realm/two_step", { renewOn: ["realm"] });
  const required = useSelect(({ organization }) => organization.realm_two_step_required);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Two-step sign-in")}</h2>
      <Loading of={demand} lines={2}>
        {({ people_without: count }) => (
          <Switch
            label={t("Everybody who signs in by password or link needs a second step")}
            hint={
              count === 0
                ? t("Everybody has set it up.")
                : t(
                    "{count, plural, one {# person has not set it up, and then does so at the next sign-in.} other {# people have not set it up, and then do so at the next sign-in.}}",
                    { count },
                  )
            }
            checked={required}
            disabled={!isOwner}
            onChange={(to) =>
              void api
                .patch("/realm/two_step", { required: to })
                .then(
                  () => showToast({ text: t("Saved: {what}.", { what: t("Two-step sign-in") }) }),
                  showFailure,
                )
            }
          />
        )}
      </Loading>
    </section>
  );
}
