import { useState } from "react";
import type { Subscription } from "@/places/subscriptions/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { TextField } from "../../ui/field.tsx";
import css from "./settings.module.css";

type Kind =
  | "desktop_notifications"
  | "audible_notifications"
  | "push_notifications"
  | "wildcard_mentions_notify";

const kinds: readonly { kind: Kind; title: string; fallback: string }[] = [
  { kind: "desktop_notifications", title: t("Browser"), fallback: "enable_stream_desktop_notifications" },
  { kind: "audible_notifications", title: t("Sound"), fallback: "enable_stream_audible_notifications" },
  { kind: "push_notifications", title: t("While closed"), fallback: "enable_stream_push_notifications" },
  { kind: "wildcard_mentions_notify", title: "@everyone", fallback: "wildcard_mentions_notify" },
];
const maxShown = 100;

/** One row for each channel. Without a choice, the general settings apply. */
export function ChannelNotifications() {
  const subscriptions = useSelect((state) => state.subscriptions);
  const [wanted, setWanted] = useState("");
  const found = Object.values(subscriptions)
    .filter(
      ({ name, is_archived }) => !is_archived && name.toLowerCase().includes(wanted.trim().toLowerCase()),
    )
    .sort((a, b) => collator.compare(a.name, b.name));
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("By channel")}</h2>
      <TextField
        label={t("Find a channel")}
        quietLabel
        placeholder={t("Find a channel")}
        value={wanted}
        onChange={setWanted}
      />
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t("Channel")}</th>
              {kinds.map(({ kind, title }) => (
                <th key={kind} scope="col">
                  <bdi>{title}</bdi>
                </th>
              ))}
              <th scope="col">{t("Muted")}</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, maxShown).map((channel) => (
              <ChannelRow key={channel.stream_id} channel={channel} />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > maxShown ? (
        <p className={css.quiet}>
          {t("{count, number} more: type a part of the name.", {
            count: found.length - maxShown,
          })}
        </p>
      ) : null}
    </section>
  );
}

function ChannelRow({ channel }: { channel: Subscription }) {
  const { flagging } = useClient();
  const settings = useSelect((state) => state.user_settings);
  const { stream_id, name, is_muted } = channel;
  return (
    <tr>
      <th scope="row">{name}</th>
      {kinds.map(({ kind, title, fallback }) => {
        const isOn = channel[kind] ?? settings[fallback] === true;
        return (
          <td key={kind}>
            <input
              type="checkbox"
              checked={isOn}
              aria-label={t("{title} for {channel}", { title, channel: name })}
              onChange={() => void flagging.setSubscription(stream_id, kind, !isOn)}
            />
          </td>
        );
      })}
      <td>
        <input
          type="checkbox"
          checked={is_muted}
          aria-label={t("Mute {name}", { name })}
          onChange={() => void flagging.setSubscription(stream_id, "is_muted", !is_muted)}
        />
      </td>
    </tr>
  );
}
