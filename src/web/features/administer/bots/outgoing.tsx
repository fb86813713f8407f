// An outgoing webhook: the address that the server calls, and trying it.
import { useState } from "react";
import type { TestAnswer } from "@/outside/webhooks/schema.ts";
import { useClient } from "../../../api/client.ts";
import { reasonOf } from "../../../api/request.ts";
import { t } from "../../../lib/texts.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import { Button } from "../../../ui/button.tsx";
import { copyWithNotice } from "../../../ui/content/behaviours.ts";
import { Select, TextField } from "../../../ui/field.tsx";
import { Form, useForm } from "../../../ui/form.tsx";
import css from "./bots.module.css";

/** The formats in which the server calls an address. */
export const forms: readonly { value: number; label: string }[] = [
  { value: 1, label: "JSON" },
  { value: 2, label: t("Form, as of Slack") },
];

export function Outgoing({ bot }: { bot: OwnedBot }) {
  const { api } = useClient();
  const { user_id, is_active, services } = bot;
  const [service] = services;
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<TestAnswer | { problem: string } | null>(null);
  const { base_url = "", interface: form = 1, token = "" } = service ?? {};
  const state = useForm({
    saved: { service_payload_url: base_url, service_interface: form },
    labels: { service_payload_url: t("Address that is called"), service_interface: t("Format|of calls") },
    save: (changed) => api.patch(`/bots/${user_id}`, changed),
  });
  const test = async () => {
    setBusy(true);
    setAnswer(null);
    try {
      setAnswer(await api.post<TestAnswer>(`/bots/${user_id}/test_call`));
    } catch (error) {
      setAnswer({ problem: reasonOf(error) });
    }
    setBusy(false);
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Calls to a service")}</h2>
      {base_url === "" ? (
        <p className={css.quiet}>{t("Nothing is called until the bot has an address.")}</p>
      ) : null}
      <Form form={state}>
        <TextField
          {...state.field("service_payload_url")}
          type="url"
          placeholder="https://"
          maxLength={2000}
          autoComplete="off"
        />
        <Select {...state.field("service_interface")} choices={forms} />
      </Form>
      <p className={css.quiet}>
        {t("Each call has this token, by which the service knows that it comes from here.")}
      </p>
      <code className={css.code} dir="ltr">
        {token}
      </code>
      <div className={css.buttons}>
        <Button onClick={() => void copyWithNotice(token, t("Token copied."))}>{t("Copy the token")}</Button>
        {is_active && base_url !== "" ? (
          <Button busy={isBusy} onClick={() => void test()}>
            {t("Try a call")}
          </Button>
        ) : null}
      </div>
      <div role="status">{answer === null ? null : <Answer answer={answer} />}</div>
    </section>
  );
}

function Answer({ answer }: { answer: TestAnswer | { problem: string } }) {
  if (!("reply" in answer) || answer.problem !== null)
    return (
      <>
        <p>{t("The call failed:")}</p>
        <p className={css.reason} dir="auto">
          {answer.problem}
        </p>
      </>
    );
  const { milliseconds, reply } = answer;
  return (
    <>
      <p>
        {reply === null
          ? t("It answered in {milliseconds, number} ms, with no reply.", { milliseconds })
          : t("It answered in {milliseconds, number} ms. The bot would write:", { milliseconds })}
      </p>
      {reply === null ? null : (
        <p className={css.reason} dir="auto">
          {reply}
        </p>
      )}
    </>
  );
}
