import { type FormEvent, useState } from "react";
import { parts, t } from "../../lib/texts.ts";
import { Rich } from "../../ui/rich.tsx";
import { ask, focus, type LoginInput, type SecondStepState } from "./asking.ts";
import { openClientPage } from "./destination.ts";
import css from "./sign-in.module.css";

interface SecondStepProps {
  login: LoginInput;
  step: SecondStepState;
  onBack: () => void;
}

/** Asks for the authenticator app's code, after helping to set up the app if the person has none yet. */
export function SecondStepPage({ login, step, onBack }: SecondStepProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} />;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    setBusy(true);
    setRefusal(null);
    const { ok, msg, body } = await ask("/login", { ...login, code });
    if (ok && !Array.isArray(body.recovery_codes)) return openClientPage();
    if (ok) setRecoveryCodes(body.recovery_codes as string[]);
    else setRefusal(msg);
    setBusy(false);
  };
  return (
    <main className={css.page}>
      <div className={css.card}>
        {step === "code" ? (
          <>
            <h1 className={css.title}>{t("Enter your code")}</h1>
            <p className={css.lead}>{t("Your authenticator app shows it. A recovery code works, too.")}</p>
          </>
        ) : (
          <SetUp {...step} />
        )}
        <form onSubmit={submit}>
          <label className={css.label} htmlFor="code">
            {t("Code")}
          </label>
          <input
            className={css.field}
            id="code"
            name="code"
            dir="ltr"
            autoComplete="one-time-code"
            maxLength={100}
            required
            ref={focus}
            aria-invalid={refusal !== null}
            aria-describedby="refusal"
          />
          <p className={css.refusal} id="refusal" role="alert" hidden={refusal === null}>
            {refusal}
          </p>
          <button className={css.button} type="submit" disabled={isBusy}>
            {isBusy ? t("Signing in …") : t("Sign in")}
          </button>
        </form>
        <p className={css.hint}>
          {step === "code" && <>{t("Neither app nor recovery code at hand? An administrator can help.")} </>}
          <button className={css.link} type="button" onClick={onBack}>
            {t("Back to signing in")}
          </button>
        </p>
      </div>
    </main>
  );
}

function SetUp({ secret, uri, qr }: Exclude<SecondStepState, "code">) {
  return (
    <>
      <h1 className={css.title}>{t("Set up two-step sign-in")}</h1>
      <p className={css.lead}>
        {t(
          "This organization asks for it. Scan this with an authenticator app, and enter the code that the app shows.",
        )}
      </p>
      <img
        className={css.qr}
        src={qr}
        alt={t("QR code for your authenticator app")}
        width="196"
        height="196"
      />
      <p className={css.hint}>
        <Rich
          parts={parts("Or type this key, or <link>open an app on this device</link>.")}
          link={(content) => <a href={uri}>{content}</a>}
        />
      </p>
      <code className={css.key}>{secret.match(/.{4}/g)?.join(" ")}</code>
    </>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <main className={css.page}>
      <div className={css.card}>
        <h1 className={css.title}>{t("Keep your recovery codes")}</h1>
        <p className={css.lead}>
          {t("Each signs you in once if you lose your app. They are not shown again.")}
        </p>
        <ul className={css.codes} aria-label={t("Recovery codes")}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <button className={css.button} type="button" onClick={openClientPage}>
          {t("I have kept them")}
        </button>
      </div>
    </main>
  );
}
