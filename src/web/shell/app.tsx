// The client for a signed-in user: opens it, and shows the view that the URL names.
import { useEffect, useState } from "react";
import type { Boot } from "@/outside/web/schema.ts";
import { type Client, ClientContext, openClient } from "../api/client.ts";
import { mayPass, reasonOf } from "../api/request.ts";
import { saveKeptDrafts } from "../features/compose/drafts.ts";
import { askForProof, ProofQuestion } from "../features/proof/asking.tsx";
import { desktopApp } from "../lib/desktop-app.ts";
import { t } from "../lib/texts.ts";
import { Button } from "../ui/button.tsx";
import { showToast, Toasts } from "../ui/toasts.tsx";
import { Tips } from "../ui/tooltip.tsx";
import { applyAppearance } from "./appearance.ts";
import { FullPage } from "./full-page.tsx";
import { Shell } from "./shell.tsx";
import { Waiting } from "./waiting.tsx";

const hooks = {
  prove: askForProof,
  onSignedOut: () => location.assign(`/login${location.hash}`),
  report: (error: unknown, again: () => void) =>
    void showToast({
      text: reasonOf(error),
      look: "danger",
      ...(mayPass(error) && { action: { label: t("Try again"), run: again } }),
    }),
};

async function startNotifications({ api, store, isVisitor }: Client): Promise<void> {
  const { startWorker, tendPush } = await import("../features/notifications/subscription.ts");
  await startWorker((hash) => location.assign(hash));
  if (!isVisitor) await tendPush(api, store.get().self.user_id);
}

/** Loaded where it may be needed alone, and before it is: then nothing can be loaded. */
async function followNodes(client: Client): Promise<void> {
  if (client.boot.other_nodes.length === 0) return;
  const { goElsewhere, resumeWriting } = await import("../features/sign-in/going-elsewhere.ts");
  resumeWriting();
  goElsewhere(client);
}

async function startDesktopApp(client: Client): Promise<void> {
  if (!desktopApp) return;
  const { serveDesktopApp } = await import("../features/desktop-app/serving.ts");
  serveDesktopApp(desktopApp, client);
}

export function App({ boot }: { boot: Boot }) {
  const [client, setClient] = useState<Client | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isLeft = attempt < 0;
    let opened: Client | null = null;
    setProblem(null);
    openClient(boot, hooks).then(
      (open) => {
        opened = open;
        if (isLeft) return open.stop();
        applyAppearance(open.store.get().user_settings);
        setClient(open);
        if (boot.signed_in) saveKeptDrafts(open);
        // Without a service worker everything works but notifications while the client is closed.
        startNotifications(open).catch(() => {});
        // The page then stays where it is.
        followNodes(open).catch(() => {});
        // Its menus then do nothing until the page is loaded again; all else works.
        startDesktopApp(open).catch(() => {});
      },
      (error) => !isLeft && setProblem(reasonOf(error)),
    );
    return () => {
      isLeft = true;
      opened?.stop();
    };
  }, [boot, attempt]);

  if (client) {
    return (
      <ClientContext value={client}>
        <Shell />
        <ProofQuestion />
        <Toasts />
        <Tips />
      </ClientContext>
    );
  }
  if (problem) {
    return (
      <FullPage
        title={t("{organization} could not be opened", { organization: boot.realm_name })}
        actions={
          <Button look="primary" autoFocus onClick={() => setAttempt((count) => count + 1)}>
            {t("Try again")}
          </Button>
        }
      >
        {problem}
      </FullPage>
    );
  }
  return <Waiting boot={boot} />;
}
