import { MessageSquare, UserX } from "lucide-react";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import { OnePerson } from "./about-people.tsx";
import css from "./panel.module.css";

/** A user's profile, which links to users open. */
export function PersonView({ userId }: { userId: number }) {
  const { store } = useClient();
  const person = useSelect((state) => state.users[userId]);
  if (!person) {
    return (
      <>
        <ViewHead title={t("Unknown person")} />
        <NotFound
          icon={UserX}
          title={t("This person cannot be shown")}
          text={t("There is no such account, or you have no access to it.")}
        />
      </>
    );
  }
  return (
    <>
      <ViewHead title={person.full_name}>
        <Button
          look="primary"
          icon={MessageSquare}
          onClick={() => goTo(linkTo(placeRoute({ user_ids: [userId] }), store.get()))}
        >
          {t("Message")}
        </Button>
      </ViewHead>
      <div className={css.page}>
        <OnePerson userId={userId} />
      </div>
    </>
  );
}
