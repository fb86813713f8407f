import { useEffect, useRef, useState } from "react";
import { useClient, useSelect } from "../../../api/client.ts";
import { t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import { mayChangeAccount } from "../../../state/permissions.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import { Tag } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { copyWithNotice } from "../../../ui/content/behaviours.ts";
import { Confirm } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form, useForm } from "../../../ui/form.tsx";
import { PeoplePicker } from "../../../ui/people-picker.tsx";
import { hashOf } from "../../../ui/routes/route.ts";
import { showFailure, showToast } from "../../../ui/toasts.tsx";
import { sendPicture } from "../../compose/uploads.ts";
import { AccountHead, Activity } from "../people/account.tsx";
import { activityOf, useSignIn } from "../people/sign-ins.ts";
import css from "./bots.module.css";
import { botLink, botTypes, madeKeys, typeName } from "./bots.ts";
import { Calls } from "./calls.tsx";
import { Incoming } from "./incoming.tsx";
import { Outgoing } from "./outgoing.tsx";
import { Signatures } from "./signatures.tsx";
import { Template } from "./template.tsx";

interface BotProps {
  bot: OwnedBot;
}

/** What there is to know of a bot, and to change. */
export function BotPage({ bot, person }: BotProps & { person: Person }) {
  const { user_id, bot_type, is_active } = bot;
  const [key, setKey] = useState(() => madeKeys.get(user_id) ?? null);
  useEffect(() => () => void madeKeys.delete(user_id), [user_id]);
  return (
    <div className={css.page}>
      <AccountHead
        account={bot}
        list={{ href: botLink(), name: t("All bots") }}
        tags={
          <>
            <Tag text={typeName(bot)} />
            {is_active ? null : <Tag text={t("Deactivated")} look="warn" />}
          </>
        }
      />
      <Facts bot={bot} />
      <Name bot={bot} />
      {is_active ? <ApiKey bot={bot} value={key} onMade={setKey} /> : null}
      {is_active && bot_type === botTypes.incoming ? (
        <>
          <Incoming bot={bot} apiKey={key} />
          <Template bot={bot} />
          <Signatures bot={bot} />
        </>
      ) : null}
      {bot_type === botTypes.outgoing ? <Outgoing bot={bot} /> : null}
      {bot_type === botTypes.generic ? null : <Calls bot={bot} />}
      <Owner bot={bot} />
      <Activation bot={bot} person={person} />
    </div>
  );
}

function Facts({ bot: { user_id, email, owner_id } }: BotProps) {
  const isAdmin = useSelect(({ self }) => self.is_admin);
  const owner = useSelect((state) => (owner_id === null ? undefined : state.users[owner_id]));
  const signIn = useSignIn(user_id, isAdmin);
  return (
    <dl className={css.facts}>
      <div>
        <dt>{t("Email")}</dt>
        <dd dir="ltr">{email}</dd>
      </div>
      <div>
        <dt>{t("Owner|of a bot")}</dt>
        <dd>
          {owner ? (
            <a href={hashOf({ view: "person", user: owner.user_id })}>
              <bdi>{owner.full_name}</bdi>
            </a>
          ) : (
            t("Nobody")
          )}
        </dd>
      </div>
      {isAdmin ? (
        <div>
          <dt>{t("Last active")}</dt>
          <dd>{signIn ? activityOf(signIn) : "…"}</dd>
        </div>
      ) : null}
    </dl>
  );
}

function Name({ bot: { user_id, full_name } }: BotProps) {
  const { api, boot } = useClient();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const form = useForm({
    saved: { full_name },
    labels: { full_name: t("Name") },
    save: (changed) => api.patch(`/bots/${user_id}`, changed),
  });
  const upload = (file: File) => {
    setBusy(true);
    sendPicture(`/bots/${user_id}`, file, boot.csrf_cookie, "PATCH")
      .catch(showFailure)
      .finally(() => setBusy(false));
  };
  return (
    <div className={css.group}>
      <Form form={form}>
        <TextField {...form.field("full_name")} maxLength={100} />
      </Form>
      <div className={css.buttons}>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = "";
            if (file) upload(file);
          }}
        />
        <Button busy={isBusy} onClick={() => input.current?.click()}>
          {t("Upload a picture")}
        </Button>
      </div>
    </div>
  );
}

function ApiKey({
  bot: { user_id, full_name },
  value,
  onMade,
}: BotProps & { value: string | null; onMade: (key: string) => void }) {
  const { api } = useClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("API key")}</h2>
      <p className={css.quiet}>
        {value === null
          ? t("The server does not know the key, only whether one is right. If it is lost, make a new one.")
          : t("Your new key. It is not shown again.")}
      </p>
      {value === null ? null : (
        <code className={css.code} dir="ltr">
          {value}
        </code>
      )}
      <div className={css.buttons}>
        {value === null ? null : (
          <Button onClick={() => void copyWithNotice(value, t("Key copied."))}>{t("Copy")}</Button>
        )}
        <Button onClick={() => setAsking(true)}>{t("Make a new key")}</Button>
      </div>
      {isAsking ? (
        <Confirm
          title={t("Make a new key for {name}?", { name: full_name })}
          action={t("Make a new key")}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { api_key } = await api.post<{ api_key: string }>(`/bots/${user_id}/api_key/regenerate`);
            onMade(api_key);
          }}
        >
          <p>{t("What uses the key that it has now stops working, until it is given the new one.")}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

function Owner({ bot: { user_id, full_name, owner_id } }: BotProps) {
  const { api } = useClient();
  const self = useSelect((state) => state.self);
  const users = useSelect((state) => state.users);
  const [isAsking, setAsking] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const isOwn = owner_id === self.user_id;
  const bots = Object.values(users).flatMap((one) => (one.is_bot ? [one.user_id] : []));
  const name = chosen === null ? "" : (users[chosen]?.full_name ?? "");
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Whose bot it is")}</h2>
      <p className={css.quiet}>
        {t("The owner may change the bot, and is told when its calls fail. It may be where they may.")}
      </p>
      <div className={css.buttons}>
        <Button
          onClick={() => {
            setChosen(null);
            setAsking(true);
          }}
        >
          {t("Change the owner …")}
        </Button>
      </div>
      {isAsking ? (
        <Confirm
          title={t("Who shall own {name}?", { name: full_name })}
          action={t("Change the owner")}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            if (chosen === null) throw new Error(t("Choose a person."));
            await api.patch(`/bots/${user_id}`, { bot_owner_id: chosen });
            showToast({ text: t("{bot} belongs to {name} now.", { bot: full_name, name }) });
          }}
        >
          {chosen === null ? (
            <PeoplePicker
              label={t("New owner")}
              without={new Set(owner_id === null ? bots : [...bots, owner_id])}
              onPick={setChosen}
            />
          ) : (
            <p>
              <bdi>
                <strong>{name}</strong>
              </bdi>
            </p>
          )}
          <p>
            {isOwn && !self.is_admin
              ? t("Its key and the address that it calls end: the new owner makes them anew.")
              : t("Its key stays, and who knows it may go on using it: the new owner is told.")}
          </p>
        </Confirm>
      ) : null}
    </section>
  );
}

/** Its owner deactivates it, too; administrators bring it back. */
function Activation({ bot, person }: BotProps & { person: Person }) {
  const { api } = useClient();
  const { user_id, is_active } = bot;
  const mayBringBack = useSelect((state) => state.self.is_admin && mayChangeAccount(state, person));
  const text = is_active
    ? t("Its keys end. Its messages stay.")
    : mayBringBack
      ? t("It needs a new key then.")
      : t("Administrators can bring it back.");
  const deactivate = () => api.delete(`/bots/${user_id}`);
  return <Activity account={bot} deactivate={deactivate} text={text} mayChange={is_active || mayBringBack} />;
}
