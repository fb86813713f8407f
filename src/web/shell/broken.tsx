import { t } from "../lib/texts.ts";
import { Button } from "../ui/button.tsx";
import { FullPage } from "./full-page.tsx";

/** Replaces the page after a fault in it, or if a part of it could not be loaded. */
export function Broken() {
  return (
    <FullPage
      title={t("This page could not be shown")}
      actions={
        <>
          <Button look="primary" autoFocus onClick={() => location.reload()}>
            {t("Load the page again")}
          </Button>
          <Button
            onClick={() => {
              location.hash = "#inbox";
              location.reload();
            }}
          >
            {t("Go to the inbox")}
          </Button>
        </>
      }
    >
      {t(
        "The server may have been updated, or the connection was lost. Loading the page again usually helps. What you wrote and did not send is kept.",
      )}
    </FullPage>
  );
}
