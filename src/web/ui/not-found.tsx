// What an address shows that leads to something that does not exist, or that the person may not see.
import type { LucideIcon } from "lucide-react";
import { useClient, useSelect } from "../api/client.ts";
import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { goTo, linkTo } from "./routes/navigation.ts";
import { homeRoute } from "./routes/opening.ts";

export function NotFound({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  const { isVisitor, store } = useClient();
  const home = useSelect((state) => state.user_settings.web_home_view);
  const route = isVisitor ? ({ view: "recent" } as const) : homeRoute(home);
  const words = {
    inbox: t("Go to the inbox"),
    recent: t("Go to recent conversations"),
    feed: t("Go to the combined feed"),
  };
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={<Button onClick={() => goTo(linkTo(route, store.get()))}>{words[route.view]}</Button>}
    >
      {text}
    </EmptyState>
  );
}
