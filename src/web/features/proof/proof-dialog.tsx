import { useCallback, useEffect, useState } from "react";
import type { ProofState } from "@/foundation/proofs/schema.ts";
import { useClient } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import css from "./proof.module.css";

const path = "/users/me/proof";
/** How often to look whether the person has signed in at the provider, in another window. */
const lookMs = 2000;

/** Asks for the password, for a sign-in at the provider, or for a code from a mail. */
export function ProofDialog({ onDone }: { onDone: (isProved: boolean) => void }) {
  const { api } = useClient();
  const [state, setState] = useState<ProofState | null>(null);
  const [text, setText] = useState("");
  const [isMailed, setMailed] = useState(false);
  const [isAway, setAway] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const look = useCallback(
    () =>
      api.get<ProofState>(path).then(
        (now) => {
          if (now.is_needed) setState(now);
          else onDone(true);
        },
        (error: unknown) => setProblem(reasonOf(error)),
      ),
    [api, onDone],
  );
  useEffect(() => void look(), [look]);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => void look(), lookMs);
    return () => clearInterval(timer);
  }, [isAway, look]);

  const send = (work: () => Promise<unknown>) => {
    setProblem(undefined);
    setBusy(true);
    work()
      .catch((error: unknown) => setProblem(reasonOf(error)))
      .finally(() => setBusy(false));
  };
  const isTyped = state?.password || isMailed;
  const submit = () => {
    if (isTyped)
      send(async () => {
        await api.post(path, state?.password ? { password: text } : { code: text });
        onDone(true);
      });
    else if (state?.mail)
      send(async () => {
        await api.post(`${path}/mail`);
        setMailed(true);
      });
  };
  return (
    <Dialog
      title={t("Is it you?")}
      width="small"
      onClose={() => onDone(false)}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={() => onDone(false)}>{t("Cancel")}</Button>
          {state?.password || state?.mail ? (
            <Button type="submit" look="primary" busy={busy} disabled={Boolean(isTyped) && text === ""}>
              {isTyped ? t("Continue") : t("Send the code")}
            </Button>
          ) : null}
        </>
      }
    >
      {state ? <p>{explainProof(state, isMailed)}</p> : <Skeleton lines={2} />}
      {isTyped ? (
        <TextField
          key={state?.password ? "password" : "code"}
          label={state?.password ? t("Your password") : t("Code from the mail")}
          type={state?.password ? "password" : "text"}
          dir="ltr"
          autoComplete={state?.password ? "current-password" : "one-time-code"}
          value={text}
          onChange={setText}
          error={problem}
        />
      ) : null}
      {state && state.providers.length > 0 ? (
        <div className={css.providers}>
          {state.providers.map(({ button, login_url }) => (
            <Button
              key={login_url}
              look="primary"
              onClick={() => {
                window.open(login_url, "_blank", "noopener");
                setAway(true);
              }}
            >
              {t("Sign in at {provider}", { provider: button })}
            </Button>
          ))}
          {isAway ? <p role="status">{t("Waiting until you have signed in there …")}</p> : null}
        </div>
      ) : null}
      {problem && !isTyped ? <p role="alert">{problem}</p> : null}
    </Dialog>
  );
}

function explainProof({ password, providers, mail }: ProofState, isMailed: boolean): string {
  if (password)
    return t(
      "This could hand your account to somebody else, and you signed in here more than ten minutes ago. Enter your password.",
    );
  if (providers.length > 0)
    return t(
      "This could hand your account to somebody else, and you signed in here more than ten minutes ago. Sign in again, in another window.",
    );
  if (isMailed) return t("A mail with a code is on its way to you. It works for ten minutes.");
  if (mail)
    return t(
      "This could hand your account to somebody else, and you signed in here more than ten minutes ago. A mail with a code shows that it is you.",
    );
  return t(
    "This could hand your account to somebody else, and you signed in here more than ten minutes ago. You have no password, and this server sends no mail: ask its operator for a link to sign in again ('confab user login-link').",
  );
}
