// How a bot words the JSON that no sender knows: a template, tried on what was posted last.
import { useState } from "react";
import type { TemplateTrial, WebhookPayload, WebhookTemplate } from "@/outside/incoming-webhooks/schema.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { useLoaded, useRenewed } from "../../../api/loaded.ts";
import { reasonOf } from "../../../api/request.ts";
import { formatTime } from "../../../lib/later.ts";
import { listNames, t } from "../../../lib/texts.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { CodeField, Select, TextArea } from "../../../ui/field.tsx";
import { Form, useForm } from "../../../ui/form.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Preview } from "../../compose/preview.tsx";
import css from "./bots.module.css";

const none: WebhookTemplate = { topic: "", content: "" };

export function Template({ bot }: { bot: OwnedBot }) {
  const path = `/bots/${bot.user_id}/webhook_template`;
  const loaded = useLoaded<{ template: WebhookTemplate | null }>(path, { renewOn: ["realm_bot"] });
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("A template for any JSON")}</h2>
      <p className={css.quiet}>
        {t(
          "What is posted to the address of “any JSON” becomes this message. {example} stands for a field, and {other} for a text if the field is absent.",
          { example: "{{build.name}}", other: "{{build.name | nobody}}" },
        )}
      </p>
      <Loading of={loaded} lines={4}>
        {({ template }) => <Editor bot={bot} path={path} template={template} />}
      </Loading>
    </section>
  );
}

interface EditorProps {
  bot: OwnedBot;
  path: string;
  template: WebhookTemplate | null;
}

function Editor({ bot, path, template }: EditorProps) {
  const { api } = useClient();
  const isOwn = useSelect(({ self }) => self.user_id === bot.owner_id);
  const [isRemoving, setRemoving] = useState(false);
  const saved = template ?? none;
  const form = useForm({
    saved,
    labels: { topic: t("Template of the topic"), content: t("Template of the message") },
    save: (changed) => api.post(path, { ...saved, ...changed }),
  });
  return (
    <>
      <Form form={form} action={t("Save the template")}>
        <CodeField {...form.field("topic")} hint={t("Empty: the topic is JSON.")} maxLength={200} />
        <TextArea
          {...form.field("content")}
          rows={4}
          dir="ltr"
          spellCheck={false}
          maxLength={4_000}
          className={css.paste}
        />
      </Form>
      {template === null ? null : (
        <div className={css.buttons}>
          <Button onClick={() => setRemoving(true)}>{t("Remove the template …")}</Button>
        </div>
      )}
      {isRemoving ? (
        <Confirm
          title={t("Remove the template of {name}?", { name: bot.full_name })}
          action={t("Remove the template")}
          danger
          onConfirm={() => api.delete(path)}
          onClose={() => setRemoving(false)}
        >
          <p>{t("What is posted becomes a block of code then.")}</p>
        </Confirm>
      ) : null}
      {isOwn ? (
        <Trying bot={bot} path={path} template={form.values} />
      ) : (
        <p className={css.quiet}>
          {t("Only the owner sees what was posted, and can try the template on it.")}
        </p>
      )}
    </>
  );
}

function Trying({ bot, path, template }: EditorProps & { template: WebhookTemplate }) {
  // As with the calls, no event tells of what is posted.
  const loaded = useRenewed(
    useLoaded<{ payloads: WebhookPayload[] }>(`/bots/${bot.user_id}/webhook_payloads`),
    2,
  );
  return (
    <Loading of={loaded} lines={2}>
      {({ payloads }) => {
        const kept = payloads.filter((one): one is KeptPayload => one.payload !== null);
        return kept.length === 0 ? (
          <p className={css.quiet}>
            {payloads.length === 0
              ? t(
                  "Nothing was posted to it in the last 24 hours. Once something is, try the template on it here.",
                )
              : t("What was posted in the last 24 hours is too large to be kept.")}
          </p>
        ) : (
          <Trial path={path} template={template} payloads={kept} />
        );
      }}
    </Loading>
  );
}

type KeptPayload = WebhookPayload & { payload: string };

interface TrialProps {
  path: string;
  template: WebhookTemplate;
  /** At least one, the newest first. */
  payloads: readonly KeptPayload[];
}

function Trial({ path, template, payloads }: TrialProps) {
  const { api } = useClient();
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const [id, setId] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [trial, setTrial] = useState<TemplateTrial | { problem: string } | null>(null);
  const chosen = payloads.find((one) => one.id === id) ?? payloads[0];
  if (!chosen) return null;
  const run = async () => {
    setBusy(true);
    try {
      setTrial(await api.post<TemplateTrial>(`${path}/try`, { ...template, payload: chosen.payload }));
    } catch (error) {
      setTrial({ problem: reasonOf(error) });
    }
    setBusy(false);
  };
  return (
    <>
      <Select
        label={t("Try it on what was posted")}
        value={chosen.id}
        choices={payloads.map((one) => ({
          value: one.id,
          label: `${formatTime(new Date(one.at * 1000), isTwentyFour)} · ${one.sender}`,
        }))}
        onChange={(next) => {
          setId(next);
          setTrial(null);
        }}
      />
      <details>
        <summary>{t("What was posted")}</summary>
        <pre className={css.paste} dir="ltr">
          {JSON.stringify(JSON.parse(chosen.payload), null, 2)}
        </pre>
      </details>
      <div className={css.buttons}>
        <Button busy={isBusy} disabled={template.content.trim() === ""} onClick={() => void run()}>
          {t("Try the template")}
        </Button>
      </div>
      <div role="status">{trial === null ? null : <Result trial={trial} />}</div>
    </>
  );
}

function Result({ trial }: { trial: TemplateTrial | { problem: string } }) {
  if ("problem" in trial) return <p>{trial.problem}</p>;
  const { topic, content, absent } = trial;
  return (
    <>
      {content === null ? (
        <p>{t("Nothing is in it, so no message would be sent.")}</p>
      ) : (
        <>
          <p>{t("Topic: {topic}", { topic })}</p>
          <Preview text={content} />
        </>
      )}
      {absent.length === 0 ? null : (
        <p className={css.quiet}>{t("Absent there: {fields}.", { fields: listNames(absent) })}</p>
      )}
    </>
  );
}
