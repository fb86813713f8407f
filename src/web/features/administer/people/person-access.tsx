// What opens a person's account: two-step sign-in, the browsers in which they are signed in, keys.
import { useState } from "react";
import type { Key } from "@/foundation/keys/schema.ts";
import type { Session } from "@/foundation/sessions/schema.ts";
import { nameDevice } from "@/text/language/devices.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { type Loaded, useLoaded } from "../../../api/loaded.ts";
import { formatTime } from "../../../lib/later.ts";
import { locale, t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { showFailure, showToast } from "../../../ui/toasts.tsx";
import { TwoStepReset } from "../../people/two-step-reset.tsx";
import css from "./people.module.css";

export function Access({ person }: { person: Person }) {
  return (
    <>
      {person.is_bot ? null : <TwoStep person={person} />}
      {person.is_bot ? null : <Sessions person={person} />}
      <Keys person={person} />
    </>
  );
}

function TwoStep({ person: { user_id } }: { person: Person }) {
  const loaded = useLoaded<{ is_on: boolean }>(`/users/${user_id}/two_step`);
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Two-step sign-in")}</h2>
      <Loading of={loaded} lines={1}>
        {({ is_on }) =>
          is_on ? (
            <div className={css.row}>
              <p>{t("They use it.")}</p>
              <Button size="small" onClick={() => setAsking(true)}>
                {t("Turn off two-step sign-in …")}
              </Button>
            </div>
          ) : (
            <p className={css.quiet}>{t("They do not use it.")}</p>
          )
        }
      </Loading>
      {isAsking ? (
        <TwoStepReset
          userId={user_id}
          onClose={() => {
            setAsking(false);
            loaded.again();
          }}
        />
      ) : null}
    </section>
  );
}

interface OpenedBy {
  id: number;
  name: string;
  note: string;
}

interface OpenersProps {
  title: string;
  /** Where they are ended, one by its ID or all. */
  path: string;
  loaded: Pick<Loaded<unknown>, "problem" | "again"> & { value: readonly OpenedBy[] | null };
  none: string;
  endAll: string;
  /** The question before ending all, and what it says. */
  titleOf: (count: number) => string;
  warning: string;
}

/** A list of what opens the account, each of which can be ended. */
function Openers({ title, path, loaded, none, endAll, titleOf, warning }: OpenersProps) {
  const { api } = useClient();
  const [isAsking, setAsking] = useState(false);
  const end = (id: number) =>
    api.delete(`${path}/${id}`).then(() => {
      showToast({ text: t("Ended.") });
      loaded.again();
    }, showFailure);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{title}</h2>
      <Loading of={loaded} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <p className={css.quiet}>{none}</p>
          ) : (
            <>
              <ul className={css.list} aria-label={title}>
                {all.map((one) => (
                  <li key={one.id} className={css.item}>
                    <div className={css.itemText}>
                      <p>{one.name}</p>
                      <p className={css.quiet}>{one.note}</p>
                    </div>
                    <Button
                      size="small"
                      aria-label={t("End: {what}", { what: `${one.name}, ${one.note}` })}
                      onClick={() => void end(one.id)}
                    >
                      {t("End")}
                    </Button>
                  </li>
                ))}
              </ul>
              <div className={css.buttons}>
                <Button onClick={() => setAsking(true)}>{endAll}</Button>
              </div>
              {isAsking ? (
                <Confirm
                  title={titleOf(all.length)}
                  action={t("End all")}
                  danger
                  onClose={() => setAsking(false)}
                  onConfirm={async () => {
                    await api.delete(path);
                    showToast({ text: t("Ended.") });
                    loaded.again();
                  }}
                >
                  <p>{warning}</p>
                </Confirm>
              ) : null}
            </>
          )
        }
      </Loading>
    </section>
  );
}

function Sessions({ person }: { person: Person }) {
  const path = `/users/${person.user_id}/sessions`;
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const loaded = useLoaded<{ sessions: Session[] }>(path);
  const facts = ({ id, device, address, last_seen_at }: Session): OpenedBy => ({
    id,
    name: nameDevice(t, device),
    note: t("{address}, last seen {time}", {
      address,
      time: formatTime(new Date(last_seen_at * 1000), isTwentyFour),
    }),
  });
  return (
    <Openers
      title={t("Where they are signed in")}
      path={path}
      loaded={{ ...loaded, value: loaded.value?.sessions.map(facts) ?? null }}
      none={t("They are not signed in anywhere.")}
      endAll={t("Sign them out everywhere …")}
      titleOf={(count) =>
        t("{count, plural, one {Sign {name} out of # browser?} other {Sign {name} out of # browsers?}}", {
          count,
          name: person.full_name,
        })
      }
      warning={t("They have to sign in again in all their browsers.")}
    />
  );
}

function Keys({ person }: { person: Person }) {
  const path = `/users/${person.user_id}/keys`;
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const loaded = useLoaded<{ keys: Key[] }>(path);
  const facts = ({ id, kind, device, created_at, last_used_at }: Key): OpenedBy => {
    const day = new Date(created_at * 1000).toLocaleDateString(locale);
    return {
      id,
      name: kind === "program" ? t("Key for programs") : device || t("An app"),
      note:
        last_used_at === null
          ? t("Made {day}, never used", { day })
          : t("Made {day}, last used {time}", {
              day,
              time: formatTime(new Date(last_used_at * 1000), isTwentyFour),
            }),
    };
  };
  return (
    <Openers
      title={t("API keys")}
      path={path}
      loaded={{ ...loaded, value: loaded.value?.keys.map(facts) ?? null }}
      none={t("They have no keys.")}
      endAll={t("End all keys …")}
      titleOf={(count) =>
        t("{count, plural, one {End # key of {name}?} other {End # keys of {name}?}}", {
          count,
          name: person.full_name,
        })
      }
      warning={t("Apps and programs that use these keys stop working.")}
    />
  );
}
