import { useEffect, useState } from "react";
import type { Key } from "@/foundation/keys/schema.ts";
import { nameDevice } from "@/text/language/devices.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { type Api, reasonOf } from "../../api/request.ts";
import { formatTime } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { Tag } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { Address, type AddressForm, loadAddress } from "./own-address.tsx";
import { loadKeys, OwnKeys } from "./own-keys.tsx";
import css from "./settings.module.css";
import { loadTwoStep, TwoStep, type TwoStepState } from "./two-step.tsx";

interface Loaded {
  address: AddressForm | null;
  twoStep: TwoStepState | null;
  sessions: readonly Session[] | null;
  keys: readonly Key[] | null;
}

/** Shows its parts at once, when all have loaded: nothing moves under a pointer that is about to press. */
export function AccountSettings() {
  const { api } = useClient();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    const part = <T,>(answer: Promise<T>) =>
      answer.catch((error: unknown) => {
        showFailure(error);
        return null;
      });
    void Promise.all([
      part(loadAddress(api)),
      part(loadTwoStep(api)),
      part(loadSessions(api)),
      part(loadKeys(api)),
    ]).then(([address, twoStep, sessions, keys]) => setLoaded({ address, twoStep, sessions, keys }));
  }, [api]);
  if (!loaded) return <Skeleton lines={8} />;
  return (
    <>
      <Address first={loaded.address} />
      <Password />
      <TwoStep first={loaded.twoStep} />
      <Sessions first={loaded.sessions} />
      <OwnKeys first={loaded.keys} />
      <Leaving />
    </>
  );
}

function Password() {
  const { api } = useClient();
  const [old_password, setOld] = useState("");
  const [new_password, setNew] = useState("");
  const [signsOut, setSignsOut] = useState(true);
  const [problem, setProblem] = useState<string>();
  const save = () => {
    setProblem(undefined);
    api.patch("/users/me/password", { old_password, new_password, keep_other_devices: !signsOut }).then(
      () => {
        setOld("");
        setNew("");
        showToast({
          text: signsOut
            ? t("Your password is changed. Your other devices have to sign in again.")
            : t("Your password is changed. Your other devices stay signed in."),
        });
      },
      (error: unknown) => setProblem(reasonOf(error)),
    );
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Password")}</h2>
      <form
        className={css.group}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label={t("Password now")}
          type="password"
          value={old_password}
          onChange={setOld}
          autoComplete="current-password"
        />
        <TextField
          label={t("New password")}
          type="password"
          value={new_password}
          onChange={setNew}
          error={problem}
          autoComplete="new-password"
        />
        <Checkbox
          label={t("Sign out my other devices")}
          hint={t("Browsers and apps. The key for programs, below, stays.")}
          checked={signsOut}
          onChange={setSignsOut}
        />
        <div className={css.buttons}>
          <Button type="submit" disabled={new_password === ""}>
            {t("Change password")}
          </Button>
        </div>
      </form>
    </section>
  );
}

interface Session {
  id: number;
  device: string;
  address: string;
  last_seen_at: number;
  is_current: boolean;
}

async function loadSessions(api: Api): Promise<readonly Session[]> {
  return (await api.get<{ sessions: Session[] }>("/users/me/sessions")).sessions;
}

function Sessions({ first }: { first: readonly Session[] | null }) {
  const { api } = useClient();
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const [sessions, setSessions] = useState(first);
  const end = (path: string) => {
    api
      .delete(path)
      .then(() => loadSessions(api))
      .then(setSessions, showFailure);
  };
  const others = sessions?.filter(({ is_current }) => !is_current) ?? [];
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Where you are signed in")}</h2>
      <ul className={css.list}>
        {sessions?.map(({ id, device, address, last_seen_at, is_current }) => (
          <li key={id} className={css.item}>
            <div className={css.itemText}>
              <p>
                {nameDevice(t, device)} {is_current ? <Tag text={t("This browser")} look="good" /> : null}
              </p>
              <p className={css.quiet}>
                {t("{address}, last seen {time}", {
                  address,
                  time: formatTime(new Date(last_seen_at * 1000), isTwentyFour),
                })}
              </p>
            </div>
            {is_current ? null : (
              <Button
                size="small"
                aria-label={t("Sign out {device}, {address}", { device: nameDevice(t, device), address })}
                onClick={() => end(`/users/me/sessions/${id}`)}
              >
                {t("Sign out")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 ? (
        <div className={css.buttons}>
          <Button onClick={() => end("/users/me/sessions")}>{t("Sign out everywhere else")}</Button>
        </div>
      ) : null}
    </section>
  );
}

function Leaving() {
  const { api } = useClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Leaving")}</h2>
      <div className={css.buttons}>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t("Deactivate my account …")}
        </Button>
      </div>
      {isAsking ? (
        <Confirm
          title={t("Deactivate your account?")}
          action={t("Deactivate")}
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.delete("/users/me");
            location.assign("/");
          }}
        >
          <p>
            {t(
              "You are signed out everywhere. Your messages stay. Only an administrator can let you in again.",
            )}
          </p>
        </Confirm>
      ) : null}
    </section>
  );
}
