import { useEffect, useState } from "react";
import { useClient, useValue } from "../client.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import css from "./connection-banner.module.css";

const patience = 1_500;

/** Shows that the connection is lost, unless it comes back within a moment. */
export function ConnectionBanner() {
  const { connection, retry } = useClient();
  const isLost = useValue(connection) !== "online";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setShown(false);
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, [isLost]);
  if (!isShown) return null;
  return (
    <div className={css.place}>
      <Banner
        look="warn"
        action={
          <Button size="small" onClick={retry}>
            Try now
          </Button>
        }
      >
        No connection. What you write is kept.
      </Banner>
    </div>
  );
}
