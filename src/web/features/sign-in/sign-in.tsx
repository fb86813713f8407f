import { type FormEvent, useState } from "react";
import { t } from "../../lib/texts.ts";
import { ask, focus, type LoginInput, type SecondStepState, secondStepIn } from "./asking.ts";
import { boot } from "./boot.ts";
import { openClientPage } from "./destination.ts";
import { SecondStepPage } from "./second-step.tsx";
import css from "./sign-in.module.css";

/** The form for address and password; opens the client where the person wanted to go. */
export function SignIn() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [second, setSecond] = useState<{ login: LoginInput; step: SecondStepState } | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setRefusal(null);
    const login = { username: String(form.get("username")), password: String(form.get("password")) };
    const answer = await ask("/login", login);
    if (answer.ok) return openClientPage();
    const step = secondStepIn(answer);
    if (step) setSecond({ login, step });
    else setRefusal(answer.msg);
    setBusy(false);
  };
  const enterAs = async (username: string) => {
    const answer = await ask("/login/dev", { username });
    if (answer.ok) return openClientPage();
    setRefusal(answer.msg);
  };
  if (second) return <SecondStepPage {...second} onBack={() => setSecond(null)} />;
  return (
    <main className={css.page}>
      <div className={css.card}>
        <img className={css.icon} src={boot.realm_icon} alt="" width="56" height="56" />
        <h1 className={css.title}>{t("Sign in to {organization}", { organization: boot.realm_name })}</h1>
        {boot.providers.map(({ name, button, icon }) => (
          <a key={name} className={css.provider} href={`/login/oidc/${name}`}>
            {icon && <img src={icon} alt="" width="20" height="20" />}
            {button}
          </a>
        ))}
        <form onSubmit={submit} hidden={!boot.takes_passwords}>
          <label className={css.label} htmlFor="username">
            {t("Email address")}
          </label>
          <input
            className={css.field}
            id="username"
            name="username"
            type="email"
            dir="ltr"
            autoComplete="username"
            required
            ref={focus}
          />
          <label className={css.label} htmlFor="password">
            {t("Password")}
          </label>
          <input
            className={css.field}
            id="password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
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
        <p className={css.hint} hidden={!boot.takes_passwords}>
          <a href="/password/reset">{t("Forgot your password?")}</a>
        </p>
        <p className={css.hint}>
          {t("No password yet? Ask an administrator for an invitation or a link for signing in.")}
        </p>
        {boot.sample_people && (
          <section>
            <h2 className={css.subtitle}>{t("Or try it as")}</h2>
            <ul className={css.people}>
              {boot.sample_people.map(({ email, full_name }) => (
                <li key={email}>
                  <button className={css.person} type="button" onClick={() => enterAs(email)}>
                    {full_name}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </main>
  );
}
