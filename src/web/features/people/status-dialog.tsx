import { useState } from "react";
import type { UserStatus } from "@/personal/user-status/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmojiButton } from "../../ui/emoji/emoji-button.tsx";
import { reactionOf } from "../../ui/emoji/frequent.ts";
import { emojiCharacter } from "../../ui/emoji/names.ts";
import { Switch, TextField } from "../../ui/field.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./status.module.css";
import { StatusEmoji } from "./status-line.tsx";

const suggestions: readonly Required<Omit<UserStatus, "away">>[] = [
  [t("In a meeting"), "calendar", "1f4c5"],
  [t("Commuting"), "bus", "1f68c"],
  [t("Out sick"), "hurt", "1f915"],
  [t("On holiday"), "palm_tree", "1f334"],
  [t("Working from home"), "house", "1f3e0"],
].map(([status_text = "", emoji_name = "", emoji_code = ""]) => ({
  status_text,
  emoji_name,
  emoji_code,
  reaction_type: "unicode_emoji" as const,
}));
const nothing: UserStatus = {};
const maxLength = 60;

export function StatusDialog({ onClose }: { onClose: () => void }) {
  const { api, store } = useClient();
  const self = useSelect((state) => state.self.user_id);
  const isInvisible = useSelect((state) => !state.user_settings.presence_enabled);
  const [status, setStatus] = useState<UserStatus>(() => store.get().user_status[self] ?? nothing);
  const [problem, setProblem] = useState<string>();
  const save = (next: UserStatus) => {
    const { status_text = "", emoji_name = "", emoji_code = "", reaction_type = "" } = next;
    api
      .post("/users/me/status", { status_text: status_text.trim(), emoji_name, emoji_code, reaction_type })
      .then(onClose, (error: unknown) => setProblem(reasonOf(error)));
  };
  const setInvisible = (hidden: boolean) => {
    api.patch("/settings", { presence_enabled: !hidden }).catch(showFailure);
  };
  return (
    <Dialog
      title={t("Your status")}
      width="small"
      onClose={onClose}
      onSubmit={() => save(status)}
      actions={
        <>
          <Button onClick={() => save(nothing)}>{t("Clear")}</Button>
          <Button type="submit" look="primary">
            {t("Save")}
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <TextField
          label={t("What are you up to?")}
          value={status.status_text ?? ""}
          maxLength={maxLength}
          error={problem}
          onChange={(status_text) => setStatus({ ...status, status_text })}
        />
        <div className={css.chosen}>
          <StatusEmoji status={status} />
          <EmojiButton
            label={t("Choose an emoji")}
            onPick={(emoji) => setStatus({ ...status, ...reactionOf(emoji) })}
          />
        </div>
      </div>
      <ul className={css.suggestions}>
        {suggestions.map((suggestion) => (
          <li key={suggestion.emoji_name}>
            <button type="button" className={css.suggestion} onClick={() => setStatus(suggestion)}>
              <span className={css.emoji} aria-hidden="true">
                {emojiCharacter(suggestion.emoji_code)}
              </span>
              {suggestion.status_text}
            </button>
          </li>
        ))}
      </ul>
      <Switch
        label={t("Appear offline")}
        hint={t("Nobody sees when you are here.")}
        checked={isInvisible}
        onChange={setInvisible}
      />
    </Dialog>
  );
}
