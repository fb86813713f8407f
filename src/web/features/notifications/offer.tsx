// Offers notifications at a moment when the person sees what they are good for; once on each device.
import { useEffect, useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { isMessage, mayAskToAnnounce } from "./announcing.ts";
import css from "./offer.module.css";
import { turnOn } from "./subscription.ts";

const offered = "notifications_offered";

/** Appears when somebody has mentioned the person, or they have sent a direct message. Only its button lets the browser ask. */
export function NotificationOffer() {
  const { api, store, latestEvents, isVisitor } = useClient();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isVisitor || localStorage.getItem(offered) !== null || !mayAskToAnnounce()) return;
    const stop = latestEvents.subscribe(() => {
      const { user_id } = store.get().self;
      const isMoment = latestEvents
        .get()
        .filter(isMessage)
        .some(
          ({ message, flags }) =>
            flags.includes("mentioned") || (message.type === "private" && message.sender_id === user_id),
        );
      if (!isMoment || !mayAskToAnnounce() || localStorage.getItem(offered) !== null) return;
      localStorage.setItem(offered, "yes");
      setOpen(true);
    });
    return stop;
  }, [store, latestEvents, isVisitor]);
  if (!isOpen) return null;
  const accept = () => {
    setOpen(false);
    // Without a push service, the open page still notifies.
    turnOn(api, store.get().self.user_id).catch(() => {});
  };
  return (
    <div className={css.place}>
      <Banner
        action={
          <span className={css.answers}>
            <Button size="small" look="primary" onClick={accept}>
              {t("Turn on notifications")}
            </Button>
            <Button size="small" look="quiet" onClick={() => setOpen(false)}>
              {t("Not now")}
            </Button>
          </span>
        }
      >
        {t("Be notified of direct messages and mentions while you are elsewhere?")}
      </Banner>
    </div>
  );
}
