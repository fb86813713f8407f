import { useState } from "react";
import type { Key } from "@/foundation/keys/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import type { Api } from "../../api/request.ts";
import { formatTime } from "../../lib/later.ts";
import { locale, t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./settings.module.css";

const nameOf = ({ kind, device }: Key) =>
  kind === "program" ? t("Key for programs") : device || t("An app");

export async function loadKeys(api: Api): Promise<readonly Key[]> {
  return (await api.get<{ keys: Key[] }>("/users/me/keys")).keys;
}

/** The person's API keys: ending one, and making a new one for programs. */
export function OwnKeys({ first }: { first: readonly Key[] | null }) {
  const { api } = useClient();
  const [keys, setKeys] = useState(first);
  const [made, setMade] = useState("");
  const [asking, setAsking] = useState<Key | "new" | null>(null);
  const renew = () => void loadKeys(api).then(setKeys, showFailure);
  const make = async () => {
    const { api_key } = await api.post<{ api_key: string }>("/users/me/api_key/regenerate");
    setMade(api_key);
    renew();
  };
  const end = async ({ id }: Key) => {
    await api.delete(`/users/me/keys/${id}`);
    renew();
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("API keys")}</h2>
      <p className={css.quiet}>
        {t(
          "With a key, programs act as you. Apps get theirs when you sign in; those also end with your password.",
        )}
      </p>
      <ul className={css.list} aria-label={t("API keys")}>
        {keys?.map((key) => (
          <KeyItem key={key.id} item={key} onEnd={() => setAsking(key)} />
        ))}
      </ul>
      {made ? (
        <>
          <p className={css.quiet}>{t("Your new key. It is not shown again.")}</p>
          <code className={css.code} dir="ltr">
            {made}
          </code>
        </>
      ) : null}
      <div className={css.buttons}>
        {made ? (
          <Button onClick={() => void copyWithNotice(made, t("Key copied."))}>{t("Copy")}</Button>
        ) : null}
        <Button onClick={() => setAsking("new")}>{t("Make a new key")}</Button>
      </div>
      {asking === "new" ? (
        <Confirm
          title={t("Make a new API key?")}
          action={t("Make a new key")}
          onConfirm={make}
          onClose={() => setAsking(null)}
        >
          <p>{t("Keys that you have now stop working: programs and apps have to be given the new one.")}</p>
        </Confirm>
      ) : null}
      {asking !== null && asking !== "new" ? (
        <Confirm
          title={t("End this key?")}
          action={t("End the key")}
          danger
          onConfirm={() => end(asking)}
          onClose={() => setAsking(null)}
        >
          <p>{t("{key}: what uses it stops working at once.", { key: nameOf(asking) })}</p>
        </Confirm>
      ) : null}
    </section>
  );
}

function KeyItem({ item, onEnd }: { item: Key; onEnd: () => void }) {
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const { created_at, last_used_at } = item;
  const day = new Date(created_at * 1000).toLocaleDateString(locale);
  const use =
    last_used_at === null
      ? t("Made {day}, never used", { day })
      : t("Made {day}, last used {time}", {
          day,
          time: formatTime(new Date(last_used_at * 1000), isTwentyFour),
        });
  return (
    <li className={css.item}>
      <div className={css.itemText}>
        <p>{nameOf(item)}</p>
        <p className={css.quiet}>{use}</p>
      </div>
      <Button
        size="small"
        aria-label={t("End {key}, made {day}", { key: nameOf(item), day })}
        onClick={onEnd}
      >
        {t("End")}
      </Button>
    </li>
  );
}
