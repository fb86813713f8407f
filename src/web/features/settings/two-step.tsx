import { useRef, useState } from "react";
import { useClient } from "../../api/client.ts";
import { type Api, reasonOf } from "../../api/request.ts";
import { parts, t } from "../../lib/texts.ts";
import { Tag } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Rich } from "../../ui/rich.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import css from "./settings.module.css";

export interface TwoStepState {
  is_on: boolean;
  is_required: boolean;
  recovery_codes_left: number;
  needs_password: boolean;
}

type Step = "set up" | "turn off" | "new codes";

const path = "/users/me/two_step";

export function loadTwoStep(api: Api): Promise<TwoStepState> {
  return api.get<TwoStepState>(path);
}

/** The person's own two-step sign-in: setting it up, new recovery codes, turning it off. */
export function TwoStep({ first }: { first: TwoStepState | null }) {
  const { api } = useClient();
  const [state, setState] = useState(first);
  const [step, setStep] = useState<Step | null>(null);
  const close = () => {
    setStep(null);
    loadTwoStep(api).then(setState, showFailure);
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>
        {t("Two-step sign-in")} {state?.is_on ? <Tag text={t("On")} look="good" /> : null}
      </h2>
      <p className={css.quiet}>
        {state ? about(state) : t("A code of an authenticator app after your password.")}
      </p>
      <div className={css.buttons}>
        {state && !state.is_on ? <Button onClick={() => setStep("set up")}>{t("Set up …")}</Button> : null}
        {state?.is_on ? (
          <Button onClick={() => setStep("new codes")}>{t("New recovery codes …")}</Button>
        ) : null}
        {state?.is_on && !state.is_required ? (
          <Button onClick={() => setStep("turn off")}>{t("Turn off …")}</Button>
        ) : null}
      </div>
      {step === "set up" && state ? <SettingUp needsPassword={state.needs_password} onClose={close} /> : null}
      {step === "new codes" ? <NewCodes onClose={close} /> : null}
      {step === "turn off" ? <TurningOff onClose={close} /> : null}
    </section>
  );
}

function about({ is_on, is_required, recovery_codes_left: left }: TwoStepState): string {
  if (!is_on) return t("After your password, signing in also takes a code that an app on your phone shows.");
  return is_required
    ? t(
        "{left, plural, one {One recovery code is left.} other {# recovery codes are left.}} This organization demands two-step sign-in.",
        { left },
      )
    : t("{left, plural, one {One recovery code is left.} other {# recovery codes are left.}}", { left });
}

/** Sends a request, and keeps the error if it is refused. */
function useSending(): [
  problem: string | undefined,
  busy: boolean,
  send: (work: () => Promise<void>) => void,
] {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = (work: () => Promise<void>) => {
    setProblem(undefined);
    setBusy(true);
    work()
      .catch((error: unknown) => setProblem(reasonOf(error)))
      .finally(() => setBusy(false));
  };
  return [problem, busy, send];
}

interface Drawn {
  secret: string;
  uri: string;
  qr: string;
}

function SettingUp({ needsPassword, onClose }: { needsPassword: boolean; onClose: () => void }) {
  const { api } = useClient();
  const [password, setPassword] = useState("");
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [problem, busy, send] = useSending();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (drawn) return <Confirming drawn={drawn} onCodes={setCodes} onClose={onClose} />;
  const begin = () =>
    send(async () => setDrawn(await api.post<Drawn>(path, needsPassword ? { password } : {})));
  return (
    <Dialog
      title={t("Set up two-step sign-in")}
      width="small"
      onClose={onClose}
      onSubmit={begin}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {t("Continue")}
          </Button>
        </>
      }
    >
      <p>{t("You need an authenticator app, such as the one of your password manager.")}</p>
      {needsPassword ? (
        <TextField
          label={t("Your password")}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={problem}
        />
      ) : null}
      {problem && !needsPassword ? <p role="alert">{problem}</p> : null}
    </Dialog>
  );
}

interface ConfirmingProps {
  drawn: Drawn;
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}

function Confirming({ drawn: { secret, uri, qr }, onCodes, onClose }: ConfirmingProps) {
  const { api } = useClient();
  const confirm = async (code: string) => {
    const { recovery_codes } = await api.post<{ recovery_codes: string[] }>(`${path}/confirm`, { code });
    onCodes(recovery_codes);
  };
  return (
    <WithCode title={t("Scan this with your app")} action={t("Turn on")} onCode={confirm} onClose={onClose}>
      <img
        className={css.qr}
        src={qr}
        alt={t("QR code for your authenticator app")}
        width={196}
        height={196}
      />
      <p className={css.quiet}>
        <Rich
          parts={parts("Or type this key, or <link>open an app on this device</link>.")}
          link={(content) => <a href={uri}>{content}</a>}
        />
      </p>
      <code className={css.code} dir="ltr">
        {secret.match(/.{4}/g)?.join(" ")}
      </code>
    </WithCode>
  );
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const { api } = useClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  const renew = async (code: string) => {
    const answer = await api.post<{ recovery_codes: string[] }>(`${path}/recovery_codes`, { code });
    setCodes(answer.recovery_codes);
  };
  return (
    <WithCode
      title={t("Make new recovery codes?")}
      action={t("Make new codes")}
      onCode={renew}
      onClose={onClose}
    >
      <p>{t("The codes that you have now stop working.")}</p>
    </WithCode>
  );
}

function TurningOff({ onClose }: { onClose: () => void }) {
  const { api } = useClient();
  const turnOff = async (code: string) => {
    await api.delete(path, { code });
    showToast({ text: t("Two-step sign-in is off.") });
    onClose();
  };
  return (
    <WithCode
      title={t("Turn two-step sign-in off?")}
      action={t("Turn off")}
      danger
      onCode={turnOff}
      onClose={onClose}
    >
      <p>{t("Then anyone who knows your password can sign in as you.")}</p>
    </WithCode>
  );
}

interface WithCodeProps {
  title: string;
  action: string;
  danger?: boolean;
  /** Throws if the code is refused. */
  onCode: (code: string) => Promise<void>;
  onClose: () => void;
  children: React.ReactNode;
}

/** A dialog that asks for a code of the app, or a recovery code. */
function WithCode({ title, action, danger = false, onCode, onClose, children }: WithCodeProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [problem, busy, send] = useSending();
  return (
    <Dialog
      title={title}
      width="small"
      initialFocus={field}
      onClose={onClose}
      onSubmit={() => send(() => onCode(code))}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button
            type="submit"
            look={danger ? "danger" : "primary"}
            busy={busy}
            disabled={code.trim() === ""}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      <TextField
        ref={field}
        label={t("Code")}
        dir="ltr"
        hint={t("Six digits, as the app shows them now.")}
        value={code}
        onChange={setCode}
        error={problem}
        autoComplete="one-time-code"
        inputMode="text"
        maxLength={100}
      />
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      title={t("Keep your recovery codes")}
      width="small"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void copyWithNotice(codes.join("\n"), t("Recovery codes copied."))}>
            {t("Copy")}
          </Button>
          <Button look="primary" onClick={onClose}>
            {t("I have kept them")}
          </Button>
        </>
      }
    >
      <p>{t("Each signs you in once if you lose your app. They are not shown again.")}</p>
      <ul className={css.recoveryCodes} dir="ltr" aria-label={t("Recovery codes")}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}
