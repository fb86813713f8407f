import { useClient, useSelect } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Switch, TextField } from "../../ui/field.tsx";
import css from "./organize.module.css";

/** The person's own settings of a channel; nothing if they are not subscribed. */
export function ChannelOwn({ channelId }: { channelId: number }) {
  const { flagging } = useClient();
  const own = useSelect((state) => state.subscriptions[channelId]);
  if (!own) return null;
  const set = (property: string) => (value: unknown) =>
    void flagging.setSubscription(channelId, property, value);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>For you alone</h2>
      <TextField label="Colour" type="color" value={own.color} onChange={set("color")} />
      <Switch label="Pin it to the top" checked={own.pin_to_top} onChange={set("pin_to_top")} />
      <Switch
        label="Mute it"
        hint="Its messages count nowhere, except those that mention you."
        checked={own.is_muted}
        onChange={set("is_muted")}
      />
      <div className={css.buttons}>
        <Button onClick={() => location.assign("#settings/notifications")}>Notifications by channel</Button>
      </div>
    </section>
  );
}
