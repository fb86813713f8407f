// What the tables and the pages of people and of bots have in common.
import { type ReactNode, useState } from "react";
import type { SignIn } from "@/foundation/login/schema.ts";
import { useClient } from "../../../api/client.ts";
import { collator, t } from "../../../lib/texts.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Tag } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { goTo } from "../../../ui/routes/navigation.ts";
import { hashOf } from "../../../ui/routes/route.ts";
import type { Column } from "../../../ui/table.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import css from "./people.module.css";
import { activityOf } from "./sign-ins.ts";

interface Account {
  user_id: number;
  full_name: string;
  avatar_url: string | null;
  is_active: boolean;
}

/** In a row. */
export function AccountName({
  account: { user_id, full_name, avatar_url, is_active },
}: {
  account: Account;
}) {
  return (
    <span className={css.name}>
      <Avatar src={avatar_url ?? `/avatar/${user_id}`} size={24} />
      <bdi>{full_name}</bdi>
      {is_active ? null : <Tag text={t("Deactivated")} look="warn" />}
    </span>
  );
}

/** When they were last active, which is absent until it has come. */
export const activityColumn: Column<{ signIn: SignIn | undefined }> = {
  id: "activity",
  title: t("Last active"),
  show: ({ signIn }) => (signIn ? activityOf(signIn) : ""),
  compare: (a, b) => collator.compare(a.signIn?.last_active ?? "", b.signIn?.last_active ?? ""),
};

interface AccountHeadProps {
  account: Account;
  /** A link to the list in which it stands. */
  list: { href: string; name: string };
  tags: ReactNode;
}

export function AccountHead({ account: { user_id, full_name, avatar_url }, list, tags }: AccountHeadProps) {
  return (
    <>
      <a className={css.back} href={list.href}>
        {list.name}
      </a>
      <header className={css.head}>
        <Avatar src={avatar_url ?? `/avatar/${user_id}/medium`} size={64} />
        <div className={css.headText}>
          <h2 className={css.title}>
            <bdi>{full_name}</bdi>
          </h2>
          <p className={css.tags}>{tags}</p>
        </div>
        <Button size="small" onClick={() => goTo(hashOf({ view: "person", user: user_id }))}>
          {t("Profile")}
        </Button>
      </header>
    </>
  );
}

interface ActivityProps {
  account: Account;
  /** Deactivates it. */
  deactivate: () => Promise<unknown>;
  /** What that does, or bringing the account back; or why neither is possible. */
  text: string;
  mayChange: boolean;
}

/** Deactivating the account, and bringing it back. */
export function Activity({ account, deactivate, text, mayChange }: ActivityProps) {
  const { api } = useClient();
  const { user_id, full_name: name, is_active } = account;
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{is_active ? t("Deactivating") : t("Bringing back")}</h2>
      <p className={css.quiet}>{text}</p>
      {mayChange ? (
        <div className={css.buttons}>
          <Button look={is_active ? "danger" : "plain"} onClick={() => setAsking(true)}>
            {is_active ? t("Deactivate …") : t("Bring back …")}
          </Button>
        </div>
      ) : null}
      {isAsking ? (
        <Confirm
          title={is_active ? t("Deactivate {name}?", { name }) : t("Bring {name} back?", { name })}
          action={is_active ? t("Deactivate") : t("Bring back")}
          danger={is_active}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            if (is_active) await deactivate();
            else await api.post(`/users/${user_id}/reactivate`);
            showToast({
              text: is_active ? t("{name} is deactivated.", { name }) : t("{name} is back.", { name }),
            });
          }}
        >
          <p>{text}</p>
        </Confirm>
      ) : null}
    </section>
  );
}
