import { useState } from "react";
import { useClient, useSelect } from "../../../api/client.ts";
import { Refusal, reasonOf } from "../../../api/request.ts";
import { t } from "../../../lib/texts.ts";
import { mayMakeBots } from "../../../state/permissions.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Radios, Select, TextField } from "../../../ui/field.tsx";
import { goToLater } from "../../../ui/routes/navigation.ts";
import { botLink, botTypes, madeKeys, typeNames } from "./bots.ts";
import { forms } from "./outgoing.tsx";

/** "Build Bot" becomes "build": the server appends "-bot". Empty if the name has no Latin letter or digit. */
function shortNameFrom(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join("-").replace(/-bot$/, "").slice(0, 60).replace(/-$/, "");
}

/** Makes a bot, and leads to its page. */
export function NewBot({ onClose }: { onClose: () => void }) {
  const { api } = useClient();
  const mayMakeAny = useSelect(mayMakeBots);
  const types = typeNames.filter(({ value }) => mayMakeAny || value === botTypes.incoming);
  const [type, setType] = useState<number>(botTypes.incoming);
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const [url, setUrl] = useState("");
  const [form, setForm] = useState(1);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ param: string; reason: string }>();
  const shortName = typed ?? shortNameFrom(name);
  const isOutgoing = type === botTypes.outgoing;
  const reasonFor = (param: string) => (refused?.param === param ? refused.reason : undefined);
  const make = async () => {
    if (isBusy) return;
    setBusy(true);
    setRefused(undefined);
    const goOn = goToLater();
    try {
      const { user_id, api_key } = await api.post<{ user_id: number; api_key: string }>("/bots", {
        full_name: name,
        short_name: shortName,
        bot_type: type,
        ...(isOutgoing ? { payload_url: url, interface_type: form } : {}),
      });
      madeKeys.set(user_id, api_key);
      onClose();
      goOn(botLink(user_id));
    } catch (error) {
      const param = error instanceof Refusal ? error.answer.var_name : undefined;
      setRefused({ param: typeof param === "string" ? param : "", reason: reasonOf(error) });
      setBusy(false);
    }
  };
  const elsewhere = refused && !["full_name", "short_name", "payload_url"].includes(refused.param);
  return (
    <Dialog
      title={t("New bot")}
      onClose={onClose}
      onSubmit={() => void make()}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t("Make the bot")}
          </Button>
        </>
      }
    >
      <TextField
        label={t("Name")}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
        error={reasonFor("full_name")}
      />
      <TextField
        label={t("First part of its address")}
        hint={t("Latin letters, digits, dots and dashes. The server adds “-bot”.")}
        dir="ltr"
        value={shortName}
        onChange={setTyped}
        maxLength={60}
        autoComplete="off"
        error={reasonFor("short_name")}
      />
      <Radios legend={t("Type|of a bot")} value={type} choices={types} onChange={setType} />
      {isOutgoing ? (
        <>
          <TextField
            label={t("Address that is called")}
            type="url"
            placeholder="https://"
            value={url}
            onChange={setUrl}
            maxLength={2000}
            error={reasonFor("payload_url")}
          />
          <Select label={t("Format|of calls")} value={form} choices={forms} onChange={setForm} />
        </>
      ) : null}
      {elsewhere ? <p role="alert">{refused.reason}</p> : null}
    </Dialog>
  );
}
