// Whether tools must sign what they post as a bot, and the secret with which they do.
import { useState } from "react";
import { useClient } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { t } from "../../../lib/texts.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import { Button } from "../../../ui/button.tsx";
import { copyWithNotice } from "../../../ui/content/behaviours.ts";
import { Confirm } from "../../../ui/dialog.tsx";
import { CodeField } from "../../../ui/field.tsx";
import { Loading } from "../../../ui/loading.tsx";
import css from "./bots.module.css";

export function Signatures({ bot }: { bot: OwnedBot }) {
  const { api } = useClient();
  const path = `/bots/${bot.user_id}/webhook_secret`;
  const loaded = useLoaded<{ is_set: boolean }>(path, { renewOn: ["realm_bot"] });
  const [asking, setAsking] = useState<"set" | "remove" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setAsking(null);
  const remove = async () => {
    await api.delete(path);
    setSecret(null);
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Signatures")}</h2>
      <Loading of={loaded} lines={2}>
        {({ is_set }) => (
          <>
            <p className={css.quiet}>
              {is_set
                ? t("Only events with the right signature are taken.")
                : t("Tools need not sign their events: anyone who knows the address can post as this bot.")}
            </p>
            {secret !== null && is_set ? <NewSecret secret={secret} /> : null}
            <div className={css.buttons}>
              <Button onClick={() => setAsking("set")}>
                {is_set ? t("Change the secret …") : t("Require signatures …")}
              </Button>
              {is_set ? (
                <Button onClick={() => setAsking("remove")}>{t("Require no signatures …")}</Button>
              ) : null}
            </div>
            {asking === "set" ? (
              <Setting bot={bot} path={path} isSet={is_set} onSet={setSecret} onClose={close} />
            ) : null}
          </>
        )}
      </Loading>
      {asking === "remove" ? (
        <Confirm
          title={t("Take events without signatures as {name}?", { name: bot.full_name })}
          action={t("Require no signatures")}
          danger
          onConfirm={remove}
          onClose={close}
        >
          <p>{t("Anyone who knows the address can post as this bot then.")}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

function NewSecret({ secret }: { secret: string }) {
  return (
    <>
      <p>{t("Enter this secret at the tool, too. It is not shown again.")}</p>
      <code className={css.code} dir="ltr">
        {secret}
      </code>
      <div className={css.buttons}>
        <Button onClick={() => void copyWithNotice(secret, t("Secret copied."))}>
          {t("Copy the secret")}
        </Button>
      </div>
    </>
  );
}

interface SettingProps {
  bot: OwnedBot;
  path: string;
  /** Whether there is one that this one replaces. */
  isSet: boolean;
  onSet: (secret: string) => void;
  onClose: () => void;
}

function Setting({ bot, path, isSet, onSet, onClose }: SettingProps) {
  const { api } = useClient();
  const [given, setGiven] = useState("");
  const set = async () => {
    const wanted = given.trim();
    const { secret } = await api.post<{ secret: string }>(path, wanted === "" ? {} : { secret: wanted });
    onSet(secret);
  };
  return (
    <Confirm
      title={
        isSet
          ? t("Change the secret of {name}?", { name: bot.full_name })
          : t("Require signatures for {name}?", { name: bot.full_name })
      }
      action={isSet ? t("Change the secret") : t("Require signatures")}
      onConfirm={set}
      onClose={onClose}
    >
      <p>
        {isSet
          ? t("Events that are signed with the current secret are refused until the tool has the new one.")
          : t(
              "Events that are not signed with the secret are refused, as are those of tools that cannot sign.",
            )}
      </p>
      <CodeField
        label={t("Secret")}
        hint={t("Some tools make one: enter it here. If this is empty, the server makes one.")}
        maxLength={200}
        value={given}
        onChange={setGiven}
      />
    </Confirm>
  );
}
