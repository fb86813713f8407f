import { SearchX } from "lucide-react";
import { useState } from "react";
import type { Decision, ReportDetails } from "@/messaging/reports/schema.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/texts.ts";
import { fullTime } from "../../../lib/times.ts";
import type { Message } from "../../../state/messages.ts";
import { placeOf } from "../../../state/places.ts";
import { channelOf, nameOf, topicName } from "../../../state/selectors.ts";
import type { State } from "../../../state/state.ts";
import { Tag } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { MessageHtml } from "../../../ui/content/message-html.tsx";
import { useReader } from "../../../ui/content/reader.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { linkTo } from "../../../ui/routes/navigation.ts";
import { hashOf, placeRoute } from "../../../ui/routes/route.ts";
import { showFailure, showToast } from "../../../ui/toasts.tsx";
import { DismissDialog, HandleDialog } from "./decide-dialogs.tsx";
import css from "./reports.module.css";
import { stateOf, whyOf, wordsOf } from "./words.ts";

/** What was reported, what there is around it, and what was decided; those who may decide there. */
export function ReportPage({ id }: { id: number }) {
  const found = useLoaded<{ report: ReportDetails | null }>(id === 0 ? null : `/reports/${id}`, {
    renewOn: ["reports_changed", "update_message", "delete_message"],
  });
  return (
    <div className={css.page}>
      <a className={css.back} href={hashOf({ view: "organization", section: "reports" })}>
        {t("All reports")}
      </a>
      {id === 0 ? (
        <EmptyState icon={SearchX} title={t("This report does not exist.")} />
      ) : (
        <Loading of={found}>{({ report }) => (report ? <Shown report={report} /> : null)}</Loading>
      )}
    </div>
  );
}

function Shown({ report }: { report: ReportDetails }) {
  const { api, store } = useClient();
  const reader = useReader();
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const sender = useSelect((state) => nameOf(state, report.reported_id));
  const reporter = useSelect((state) => nameOf(state, report.reporter_id));
  const where = useSelect((state) => whereOf(state, report));
  const [dialog, setDialog] = useState<"handle" | "dismiss" | null>(null);
  const close = () => setDialog(null);
  const reopen = () =>
    api
      .patch(`/reports/${report.id}`, { is_handled: false })
      .then(() => showToast({ text: t("The report is open again.") }), showFailure);
  return (
    <>
      <section className={css.group}>
        <h2 className={css.title}>{t("Message of {name}", { name: sender })}</h2>
        <dl className={css.facts}>
          <dt>{t("State")}</dt>
          <dd>
            <Tag text={stateOf(report)} look={report.handled_at === null ? "warn" : "good"} />
          </dd>
          <dt>{t("Reported by")}</dt>
          <dd>
            <a href={hashOf({ view: "person", user: report.reporter_id })}>{reporter}</a>
          </dd>
          <dt>{t("When|it happened")}</dt>
          <dd>{fullTime(report.reported_at, isTwentyFour)}</dd>
          <dt>{t("Reason")}</dt>
          <dd>{whyOf(report.report_type)}</dd>
          {report.description === "" ? null : (
            <>
              <dt>{t("What the reporter wrote")}</dt>
              <dd className={css.text} dir="auto">
                {report.description}
              </dd>
            </>
          )}
          <dt>{t("Where|it was")}</dt>
          <dd>
            <bdi>{where}</bdi>
          </dd>
        </dl>
      </section>
      {report.decisions.length > 0 ? (
        <section className={css.group}>
          <h3 className={css.title}>{t("What was decided")}</h3>
          <ul className={css.decisions}>
            {report.decisions.map((one) => (
              <DecisionLine key={one.id} decision={one} state={store.get()} />
            ))}
          </ul>
        </section>
      ) : null}
      <section className={css.group}>
        <h3 className={css.title}>{t("As it was reported")}</h3>
        {report.content === "" ? (
          <p className={css.quiet}>{t("The message as it was then is no longer kept.")}</p>
        ) : (
          <div className={classes(css.message, css.reported)}>
            <p className={css.sender}>
              <a href={hashOf({ view: "person", user: report.reported_id })}>
                <bdi>{sender}</bdi>
              </a>
            </p>
            <MessageHtml html={report.rendered_content} reader={reader} />
          </div>
        )}
      </section>
      {report.may_handle ? (
        <div className={css.buttons}>
          {report.handled_at === null ? (
            <>
              <Button look="primary" onClick={() => setDialog("handle")}>
                {t("Handle …")}
              </Button>
              <Button onClick={() => setDialog("dismiss")}>{t("Dismiss …")}</Button>
            </>
          ) : (
            <Button onClick={() => void reopen()}>{t("Open again")}</Button>
          )}
        </div>
      ) : (
        <p className={css.quiet}>
          {t("This report is about a message of yours: another moderator has to handle it.")}
        </p>
      )}
      <section className={css.group}>
        <h3 className={css.title}>{t("As it is now")}</h3>
        {report.is_deleted ? (
          <p className={css.quiet}>{t("The message is deleted.")}</p>
        ) : report.is_readable ? (
          <Around messageId={report.message_id} />
        ) : (
          <p className={css.quiet}>
            {t("You cannot read it where it is now: you see only what was reported.")}
          </p>
        )}
      </section>
      {dialog === "handle" ? <HandleDialog report={report} name={sender} onClose={close} /> : null}
      {dialog === "dismiss" ? <DismissDialog report={report} onClose={close} /> : null}
    </>
  );
}

function whereOf(state: State, { channel_id, topic }: ReportDetails): string {
  if (channel_id === null) return t("Direct message");
  const channel = channelOf(state, channel_id);
  if (!channel) return t("unknown channel");
  return topic === null ? `#${channel.name}` : `#${channel.name} › ${topicName(topic)}`;
}

/** The message and some of its conversation, as far as the moderator may read it. */
function Around({ messageId }: { messageId: number }) {
  const { store } = useClient();
  const reader = useReader();
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const found = useLoaded<{ messages: Message[] }>("/messages", {
    params: {
      anchor: messageId,
      num_before: 3,
      num_after: 3,
      narrow: [{ operator: "with", operand: messageId }],
      client_gravatar: false,
      allow_empty_topic_name: true,
    },
    renewOn: ["update_message", "delete_message"],
  });
  return (
    <Loading of={found}>
      {({ messages }) => {
        const reported = messages.find(({ id }) => id === messageId);
        const place = reported && placeOf(reported, store.get().self.user_id);
        return (
          <>
            <ol className={css.messages}>
              {messages.map((one) => (
                <li
                  key={one.id}
                  className={classes(css.message, one.id === messageId && css.reported)}
                  aria-current={one.id === messageId ? "true" : undefined}
                >
                  <p className={css.sender}>
                    <bdi>{one.sender_full_name}</bdi>
                    <time>{fullTime(one.timestamp, isTwentyFour)}</time>
                    {one.id === messageId && one.last_edit_timestamp !== undefined ? (
                      <Tag text={t("edited")} />
                    ) : null}
                  </p>
                  <MessageHtml html={one.content} reader={reader} />
                </li>
              ))}
            </ol>
            {place ? (
              <p>
                <a href={linkTo(placeRoute(place, messageId), store.get())}>{t("Open the conversation")}</a>
              </p>
            ) : null}
          </>
        );
      }}
    </Loading>
  );
}

function DecisionLine({ decision, state }: { decision: Decision; state: State }) {
  const isTwentyFour = state.user_settings.twenty_four_hour_time;
  const { decided_by, decided_at, note, warning } = decision;
  return (
    <li className={css.message}>
      <p className={css.sender}>
        <bdi>{decided_by === null ? t("Somebody") : nameOf(state, decided_by)}</bdi>
        <time>{fullTime(decided_at, isTwentyFour)}</time>
      </p>
      <p className={css.tags}>
        {wordsOf(decision).map((word) => (
          <Tag key={word} text={word} />
        ))}
      </p>
      <dl className={css.facts}>
        {note === "" ? null : (
          <>
            <dt>{t("Note|report")}</dt>
            <dd className={css.text} dir="auto">
              {note}
            </dd>
          </>
        )}
        {warning === "" ? null : (
          <>
            <dt>{t("Warning|report")}</dt>
            <dd className={css.text} dir="auto">
              {warning}
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}
