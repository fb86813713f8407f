import { useCallback, useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { type Api, reasonOf } from "../../api/request.ts";
import { formatTime } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { mayChangeOwn } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import css from "./settings.module.css";

export interface AddressForm {
  email: string;
  changes_by: "mail" | "password" | "owner";
  change: { email: string; expires_at: number } | null;
}

const path = "/users/me/address";

export function loadAddress(api: Api): Promise<AddressForm> {
  return api.get<AddressForm>(path);
}

/** The person's own address: changing it, and the change that waits to be confirmed. */
export function Address({ first }: { first: AddressForm | null }) {
  const { api } = useClient();
  const address = useSelect((state) => state.self.delivery_email);
  const mayChange = useSelect((state) => mayChangeOwn(state, "realm_email_changes_disabled"));
  const [known, setKnown] = useState(first);
  const [shown, setShown] = useState(address);
  const renew = useCallback(() => void loadAddress(api).then(setKnown, showFailure), [api]);
  useEffect(() => {
    if (address === shown) return;
    setShown(address);
    renew();
  }, [address, shown, renew]);
  return (
    <section className={css.group}>
      {mayChange && known?.changes_by !== "owner" ? (
        <Changing key={address} saved={address} by={known?.changes_by ?? "mail"} onDone={renew} />
      ) : (
        <TextField
          label={t("Email address")}
          type="email"
          dir="ltr"
          value={address}
          onChange={() => {}}
          readOnly
          autoComplete="email"
          hint={
            mayChange
              ? t("An owner of the organization can change it.")
              : t("Only administrators can change addresses.")
          }
        />
      )}
      {known?.change ? <Waiting change={known.change} onDone={renew} /> : null}
    </section>
  );
}

function Changing({ saved, by, onDone }: { saved: string; by: "mail" | "password"; onDone: () => void }) {
  const { api } = useClient();
  const [email, setEmail] = useState(saved);
  const [old_password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const wanted = email.trim();
  const isNew = wanted !== saved && wanted !== "";
  const save = async () => {
    setProblem(undefined);
    try {
      await api.patch("/settings", by === "password" ? { email: wanted, old_password } : { email: wanted });
      setPassword("");
      showToast({
        text:
          by === "mail"
            ? t("Follow the link in the mail to {email}.", { email: wanted })
            : t("Your address is changed."),
      });
      onDone();
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <form
      className={by === "mail" ? css.row : css.group}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={t("Email address")}
        type="email"
        dir="ltr"
        value={email}
        onChange={setEmail}
        error={problem}
        autoComplete="email"
      />
      {by === "password" && isNew ? (
        <TextField
          label={t("Password, to change the address")}
          type="password"
          value={old_password}
          onChange={setPassword}
          autoComplete="current-password"
        />
      ) : null}
      <div className={css.buttons}>
        <Button type="submit" disabled={!isNew}>
          {t("Save")}
        </Button>
      </div>
    </form>
  );
}

function Waiting({ change, onDone }: { change: { email: string; expires_at: number }; onDone: () => void }) {
  const { api } = useClient();
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const until = formatTime(new Date(change.expires_at * 1000), isTwentyFour);
  return (
    <div className={css.item}>
      <p className={css.quiet} role="status">
        {t("Your new address {email} waits: follow the link in the mail to it, until {time}.", {
          email: change.email,
          time: until,
        })}
      </p>
      <Button
        size="small"
        onClick={() => {
          api.delete(path).then(onDone, showFailure);
        }}
      >
        {t("Keep the old address")}
      </Button>
    </div>
  );
}
