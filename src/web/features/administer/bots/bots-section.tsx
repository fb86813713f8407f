import { BotOff } from "lucide-react";
import { useState } from "react";
import { useSelect } from "../../../api/client.ts";
import { t } from "../../../lib/texts.ts";
import { mayMakeWritingBots } from "../../../state/permissions.ts";
import { botsIn } from "../../../state/selectors.ts";
import { Button } from "../../../ui/button.tsx";
import { NotFound } from "../../../ui/not-found.tsx";
import type { SectionProps } from "../../settings/sectioned.tsx";
import { BotPage } from "./bot-page.tsx";
import css from "./bots.module.css";
import { BotsTable } from "./bots-table.tsx";
import { NewBot } from "./new-bot.tsx";

/** All bots that the person may change, in a table; `#organization/bots/7` is one of them. */
export function BotsSection({ path: [id] }: SectionProps) {
  const bot = useSelect((state) => (id === undefined ? undefined : botsIn(state)[id]));
  const person = useSelect((state) => (bot ? state.users[bot.user_id] : undefined));
  if (id === undefined) return <Bots />;
  if (!bot || !person)
    return (
      <NotFound
        icon={BotOff}
        title={t("This bot cannot be shown")}
        text={t("There is no such bot, or it belongs to somebody else.")}
      />
    );
  return <BotPage key={bot.user_id} bot={bot} person={person} />;
}

function Bots() {
  const mayMake = useSelect(mayMakeWritingBots);
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      {mayMake ? (
        <div className={css.buttons}>
          <Button look="primary" onClick={() => setMaking(true)}>
            {t("New bot")}
          </Button>
        </div>
      ) : null}
      <BotsTable />
      {isMaking ? <NewBot onClose={() => setMaking(false)} /> : null}
    </>
  );
}
