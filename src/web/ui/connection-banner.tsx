import { useEffect, useState } from "react";
import { useClient } from "../api/client.ts";
import { useStore } from "../lib/observable.ts";
import { t } from "../lib/texts.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import css from "./connection-banner.module.css";

const patience = 300;

/** Whether the connection is lost, unless it comes back within a moment. */
export function useIsLost(): boolean {
  const { connection } = useClient();
  const isOffline = useStore(connection) !== "online";
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (!isOffline) return setLost(false);
    const timer = setTimeout(() => setLost(true), patience);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return isLost;
}

export function ConnectionBanner() {
  const { retry } = useClient();
  if (!useIsLost()) return null;
  return (
    <div className={css.place}>
      <Banner
        look="warn"
        action={
          <Button size="small" onClick={retry}>
            {t("Try now")}
          </Button>
        }
      >
        {t("No connection. What you write is kept.")}
      </Banner>
    </div>
  );
}
