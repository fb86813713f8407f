import { Check } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { classes } from "../../lib/classes.ts";
import { collator, parts, t } from "../../lib/texts.ts";
import { mayMakeLinks } from "../../state/permissions.ts";
import { activePeople } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Rich } from "../../ui/rich.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import type { Route } from "../../ui/routes/route.ts";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { IconUpload } from "../organize/icon-upload.tsx";
import { makeLink, member, week } from "../organize/inviting.ts";
import { NewChannel } from "../organize/new-channel.tsx";
import css from "./first-day.module.css";
import { markSeen } from "./onboarding.ts";

interface Step {
  title: string;
  about: ReactNode;
  /** What its button says and does. */
  action: string;
  run: () => void;
  isDone: boolean;
}

export function FirstSteps() {
  const isOwner = useSelect(({ self }) => self.is_owner);
  return isOwner ? <OwnersSteps /> : <MembersSteps />;
}

interface ListProps {
  title: string;
  steps: readonly Step[];
  /** What the button says that ends it. */
  end: string;
}

function StepList({ title, steps, end }: ListProps) {
  const { api } = useClient();
  const heading = useId();
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section className={css.card} aria-labelledby={heading}>
      <h2 id={heading} className={css.title}>
        {title}
      </h2>
      <ol className={css.steps}>
        {steps.map(({ title: name, about, action, run, isDone }, i) => (
          <li key={name} className={classes(css.step, isDone && css.past, i === next && css.next)}>
            <span className={classes(css.mark, isDone && css.done)} aria-hidden="true">
              {isDone ? <Check size={16} strokeWidth={2} /> : i + 1}
            </span>
            <div className={css.words}>
              <h3 className={css.name}>
                {name}
                {isDone ? <span className="visually-hidden"> {t("(done)")}</span> : null}
              </h3>
              {isDone ? null : <p className={css.about}>{about}</p>}
            </div>
            {isDone ? null : (
              <Button
                size="small"
                look={i === next ? "primary" : "plain"}
                aria-label={t("{action}: {step}", { action, step: name })}
                onClick={run}
              >
                {action}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Button
        size="small"
        look="quiet"
        className={css.end}
        onClick={() => void markSeen(api).catch(showFailure)}
      >
        {end}
      </Button>
    </section>
  );
}

const usualName = "Confab";

const countPeople = (state: State) => activePeople(state).filter(({ is_bot }) => !is_bot).length;
const countChannels = ({ streams, subscriptions }: State) =>
  Object.keys({ ...streams, ...subscriptions }).length;

function OwnersSteps() {
  const { api } = useClient();
  const name = useSelect(({ organization }) => organization.realm_name);
  const isNamed = useSelect(
    ({ organization }) => organization.realm_name !== usualName || organization.realm_icon_source === "U",
  );
  const takesPasswords = useSelect(({ organization }) => organization.realm_password_auth_enabled === true);
  const mayLink = useSelect(mayMakeLinks);
  const people = useSelect(countPeople);
  const channels = useSelect(countChannels);
  const security = useLoaded<{ needs_password: boolean }>("/users/me/two_step");
  const invitations = useLoaded<{ invites: readonly unknown[] }>("/invites");
  const [open, setOpen] = useState<"password" | "name" | "channel" | null>(null);
  const close = () => setOpen(null);
  const invite = () => {
    makeLink(api, { invite_as: member, invite_expires_in_minutes: week }).then(
      invitations.again,
      showFailure,
    );
  };
  const steps: Step[] = [
    ...(takesPasswords
      ? [
          {
            title: t("Choose a password"),
            about: t("Your link for signing in works once. The password works everywhere."),
            action: t("Choose"),
            run: () => setOpen("password"),
            isDone: security.value?.needs_password === true,
          },
        ]
      : []),
    {
      title: t("Name and picture"),
      about: t("So that people see where they are."),
      action: t("Choose"),
      run: () => setOpen("name"),
      isDone: isNamed,
    },
    ...(mayLink
      ? [
          {
            title: t("Invite people"),
            about: t("A link to join, for a week: send it to your team."),
            action: t("Copy the link"),
            run: invite,
            isDone: (invitations.value?.invites.length ?? 0) > 0 || people > 1,
          },
        ]
      : []),
    {
      title: t("Start a channel"),
      about: (
        <Rich
          parts={parts(
            "For a team, a project or a subject. Or bring the history of another chat: <command>confab import</command> on the server.",
          )}
          command={(content) => <code dir="ltr">{content}</code>}
        />
      ),
      action: t("Start"),
      run: () => setOpen("channel"),
      isDone: channels > 1,
    },
  ];
  const isKnown = security.value !== null && invitations.value !== null;
  const isDone = isKnown && open === null && steps.every((step) => step.isDone);
  useEffect(() => {
    if (isDone) markSeen(api).catch(() => {});
  }, [isDone, api]);
  if (!isKnown) return <div className={css.place} aria-busy="true" />;
  return (
    <>
      <StepList
        title={t("Set up {organization}", { organization: name })}
        steps={steps}
        end={t("Skip the rest")}
      />
      {open === "password" ? <FirstPassword onDone={security.again} onClose={close} /> : null}
      {open === "name" ? <NameAndPicture onClose={close} /> : null}
      {open === "channel" ? <NewChannel onClose={close} /> : null}
    </>
  );
}

interface DialogProps {
  onClose: () => void;
}

function FirstPassword({ onDone, onClose }: DialogProps & { onDone: () => void }) {
  const { api } = useClient();
  const [password, setPassword] = useState("");
  const save = async () => {
    await api.patch("/users/me/password", { new_password: password });
    showToast({ text: t("Saved.") });
    onDone();
  };
  return (
    <Confirm title={t("Choose a password")} action={t("Save")} onConfirm={save} onClose={onClose}>
      <TextField
        label={t("New password")}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
    </Confirm>
  );
}

function NameAndPicture({ onClose }: DialogProps) {
  const { api } = useClient();
  const { realm_name, realm_icon_url } = useSelect((state) => state.organization);
  const [name, setName] = useState(realm_name);
  const save = async () => void (await api.patch("/realm", { name: name.trim() }));
  return (
    <Confirm title={t("Name and picture")} action={t("Save")} onConfirm={save} onClose={onClose}>
      <TextField label={t("Name")} value={name} maxLength={40} onChange={setName} />
      <div className={css.picture}>
        <img src={realm_icon_url} alt="" width={48} height={48} />
        <IconUpload />
      </div>
    </Confirm>
  );
}

/** A channel that everyone is in, to say hello. */
function firstChannel({ organization, subscriptions }: State) {
  const all = organization.realm_default_streams as readonly number[] | undefined;
  const joined = Object.values(subscriptions).filter(({ is_archived }) => !is_archived);
  const common = joined.filter(({ stream_id }) => all?.includes(stream_id));
  return (common.length > 0 ? common : joined).toSorted((a, b) => collator.compare(a.name, b.name))[0];
}

function MembersSteps() {
  const { store } = useClient();
  const organization = useSelect((state) => state.organization.realm_name);
  const channel = useSelect(firstChannel);
  const hasPicture = useSelect(({ self }) => self.avatar_source === "U");
  const to = (route: Route) => () => goTo(linkTo(route, store.get()));
  const steps: Step[] = [
    ...(channel
      ? [
          {
            title: t("Say hello"),
            about: t("In {channel}: who are you, and what do you work on?", { channel: `#${channel.name}` }),
            action: t("Open"),
            run: to({ view: "topics", channel: channel.stream_id }),
            isDone: false,
          },
        ]
      : []),
    {
      title: t("Find your channels"),
      about: t("Join those that interest you. What you have not read gathers in the inbox."),
      action: t("Open"),
      run: to({ view: "channels" }),
      isDone: false,
    },
    {
      title: t("Show who you are"),
      about: t("A picture of you, and what others should know."),
      action: t("Open"),
      run: to({ view: "settings", section: "profile" }),
      isDone: hasPicture,
    },
  ];
  return (
    <StepList title={t("Welcome to {organization}", { organization })} steps={steps} end={t("Got it")} />
  );
}
