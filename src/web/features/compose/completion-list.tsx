import { Hash, Users } from "lucide-react";
import { Avatar } from "../../ui/avatar.tsx";
import { Suggestions } from "../../ui/suggestions.tsx";
import { TopicName } from "../../ui/topic-name.tsx";
import type { Offer } from "./completing.ts";
import css from "./completion-list.module.css";

interface CompletionListProps {
  id: string;
  offers: readonly Offer[];
  chosen: number;
  onChoose: (offer: Offer) => void;
}

/** The composer's completions, above its text area. */
export function CompletionList({ id, offers, chosen, onChoose }: CompletionListProps) {
  return (
    <Suggestions
      id={id}
      items={offers}
      chosen={chosen}
      side="above"
      keyOf={(offer) => offer.key}
      onChoose={onChoose}
    >
      {(offer) => (
        <>
          <Picture picture={offer.picture} />
          <span className={css.label} dir="auto">
            <TopicName name={offer.label} />
          </span>
          {offer.note ? (
            <span className={css.note} dir="auto">
              {offer.note}
            </span>
          ) : null}
        </>
      )}
    </Suggestions>
  );
}

function Picture({ picture }: Pick<Offer, "picture">) {
  if (!picture) return null;
  if (picture === "people")
    return <Users className={css.people} size={16} strokeWidth={1.5} aria-hidden="true" />;
  if ("avatar" in picture) return <Avatar src={picture.avatar} size={24} />;
  if ("image" in picture) return <img className={css.image} src={picture.image} alt="" />;
  if ("emoji" in picture) {
    return (
      <span className={css.emoji} aria-hidden="true">
        {picture.emoji}
      </span>
    );
  }
  return <Hash size={16} strokeWidth={1.5} color={picture.color ?? "var(--mark)"} aria-hidden="true" />;
}
