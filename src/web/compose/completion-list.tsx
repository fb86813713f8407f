import { Hash } from "lucide-react";
import { useEffect, useRef } from "react";
import { Avatar } from "../ui/avatar.tsx";
import { classes } from "../ui/classes.ts";
import type { Offer } from "./completing.ts";
import css from "./completion-list.module.css";

interface CompletionListProps {
  id: string;
  offers: readonly Offer[];
  chosen: number;
  onChoose: (offer: Offer) => void;
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** The list above the text area, which keeps the focus and names the chosen row to assistive technology. */
export function CompletionList({ id, offers, chosen, onChoose }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={css.list} tabIndex={-1}>
      {offers.map((offer, index) => (
        <div
          key={offer.key}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={classes(css.offer, index === chosen && css.chosen)}
          // A click must not move the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(offer)}
          onKeyDown={() => {}}
        >
          <Picture picture={offer.picture} />
          <span className={css.label}>{offer.label}</span>
          {offer.note ? <span className={css.note}>{offer.note}</span> : null}
        </div>
      ))}
    </div>
  );
}

function Picture({ picture }: Pick<Offer, "picture">) {
  if (!picture) return null;
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
