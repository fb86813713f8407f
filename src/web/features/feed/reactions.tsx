// The reactions under a message; each is a button that adds or removes the person's own.
import type { WireReaction } from "@/messaging/messages/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { language, t } from "../../lib/texts.ts";
import type { Message } from "../../state/messages.ts";
import { nameOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { reactionKey } from "../../ui/emoji/frequent.ts";
import { useEmojiName } from "../../ui/emoji/local-names.ts";
import { emojiCharacter, pictureOf } from "../../ui/emoji/names.ts";
import css from "./reactions.module.css";

interface Tally {
  reaction: WireReaction;
  userIds: number[];
}

function talliesOf(reactions: readonly WireReaction[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const reaction of reactions) {
    const key = reactionKey(reaction);
    const tally = tallies.get(key) ?? { reaction, userIds: [] };
    tally.userIds.push(reaction.user_id);
    tallies.set(key, tally);
  }
  return [...tallies.values()];
}

/** In English without a comma before "and". */
const list = new Intl.ListFormat(language.tag === "en" ? "en-GB" : language.tag);

/** "You, Mel and 3 others". */
function whoReacted(state: State, userIds: readonly number[]): string {
  const isOwn = userIds.includes(state.self.user_id);
  const others = userIds.filter((id) => id !== state.self.user_id).map((id) => nameOf(state, id));
  const named = [...(isOwn ? [t("You")] : []), ...others];
  if (named.length <= 6) return list.format(named);
  const more = t("{count, plural, one {# other} other {# others}}", { count: named.length - 5 });
  return list.format([...named.slice(0, 5), more]);
}

export function Reactions({ message }: { message: Message }) {
  return message.reactions.length > 0 ? <ReactionList message={message} /> : null;
}

function ReactionList({ message }: { message: Message }) {
  const { flagging, store, isVisitor } = useClient();
  const self = useSelect((state) => state.self.user_id);
  const showsNames = useSelect((state) => state.user_settings.display_emoji_reaction_users);
  const emojiName = useEmojiName();
  const showNames = showsNames && message.reactions.length <= 3;
  return (
    <ul className={css.reactions} aria-label={t("Reactions")}>
      {talliesOf(message.reactions).map(({ reaction, userIds }) => {
        const isOwn = userIds.includes(self);
        const names = whoReacted(store.get(), userIds);
        const { user_id: _, ...emoji } = reaction;
        const called = emojiName(reaction);
        return (
          <li key={reactionKey(reaction)}>
            <button
              type="button"
              className={classes(css.reaction, isOwn && css.ownReaction)}
              aria-pressed={isOwn}
              aria-label={`${called} ${names}`}
              data-tip={t("{people} reacted with {emoji}", { people: names, emoji: called })}
              disabled={isVisitor}
              onClick={() => void flagging.react(message.id, emoji, !isOwn)}
            >
              <EmojiPicture reaction={reaction} />
              <span className={css.reactionCount}>{showNames ? names : userIds.length}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function EmojiPicture({
  reaction,
}: {
  reaction: Pick<WireReaction, "emoji_code" | "emoji_name" | "reaction_type">;
}) {
  const src = useSelect((state) => pictureOf(state.realm_emoji, reaction));
  if (reaction.reaction_type === "unicode_emoji") {
    return (
      <span className={css.emoji} aria-hidden="true">
        {emojiCharacter(reaction.emoji_code)}
      </span>
    );
  }
  return src ? (
    <img className={css.emojiPicture} src={src} alt="" width={18} height={18} />
  ) : (
    <span>:{reaction.emoji_name}:</span>
  );
}
