// The last calls of a bot, and what became of them.
import type { BotCall } from "@/outside/bot-calls/schema.ts";
import { useSelect } from "../../../api/client.ts";
import { useLoaded, useRenewed } from "../../../api/loaded.ts";
import { formatTime } from "../../../lib/later.ts";
import { t } from "../../../lib/texts.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import { Tag } from "../../../ui/badge.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { hashOf } from "../../../ui/routes/route.ts";
import css from "./bots.module.css";

const outcomes: Readonly<Record<BotCall["outcome"], { text: string; look: "quiet" | "warn" | "good" }>> = {
  sent: { text: t("Sent|a message"), look: "good" },
  repeated: { text: t("Came again|an event"), look: "quiet" },
  left_out: { text: t("Left out"), look: "quiet" },
  nothing_to_say: { text: t("Nothing to say"), look: "quiet" },
  unknown_event: { text: t("Unknown event"), look: "warn" },
  refused: { text: t("Refused"), look: "warn" },
  answered: { text: t("Answered"), look: "good" },
  silent: { text: t("No reply"), look: "quiet" },
  retrying: { text: t("Is tried again"), look: "warn" },
  failed: { text: t("Failed"), look: "warn" },
};

/** What concerned a bot whose address was called. */
const triggers: Readonly<Record<string, string>> = {
  mention: t("A mention"),
  direct_message: t("A direct message"),
};

export const messageLink = (id: number) =>
  hashOf({ view: "messages", terms: [{ operator: "id", operand: String(id), negated: false }] });

export function Calls({ bot: { user_id } }: { bot: OwnedBot }) {
  // No event tells of calls: a tool may post many a second, and administrators need not hear of each.
  const loaded = useRenewed(useLoaded<{ calls: BotCall[] }>(`/bots/${user_id}/calls`), 2);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Last calls")}</h2>
      <Loading of={loaded} lines={3}>
        {({ calls }) =>
          calls.length === 0 ? (
            <p className={css.quiet}>{t("None in the last 24 hours.")}</p>
          ) : (
            <ul className={css.list} aria-label={t("Last calls")}>
              {calls.map((call) => (
                <CallItem key={call.id} call={call} />
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  );
}

function CallItem({ call: { at, about, outcome, reason, message_id, is_test } }: { call: BotCall }) {
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const { text, look } = outcomes[outcome];
  return (
    <li className={css.item}>
      <div className={css.itemText}>
        <p className={css.tags}>
          {is_test ? t("Test|of a bot") : (triggers[about] ?? <bdi>{about}</bdi>)}
          <Tag text={text} look={look} />
        </p>
        <p className={css.quiet}>
          {formatTime(new Date(at * 1000), isTwentyFour)}
          {reason === null ? null : (
            <>
              {" · "}
              <bdi>{reason}</bdi>
            </>
          )}
        </p>
      </div>
      {message_id === null ? null : <a href={messageLink(message_id)}>{t("See the message")}</a>}
    </li>
  );
}
