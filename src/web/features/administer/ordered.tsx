// A list whose order matters: its rows are dragged by a handle, or moved by buttons, which keep the focus, and it is said where a row
// has come to stand.
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { useRowDrag } from "../../lib/row-drag.ts";
import { t } from "../../lib/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";

interface OrderedProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Of a row, for screen readers. */
  nameOf: (row: Row) => string;
  /** Takes all rows in their new order; absent if the person may not change it. */
  onOrder?: ((rows: Row[]) => Promise<unknown>) | undefined;
  /** What follows the buttons that move a row. */
  actions?: (row: Row) => ReactNode;
  children: (row: Row) => ReactNode;
}

/** An order that the person has made, while `rows` still has one of those before it. */
interface Wanted {
  before: readonly string[];
  keys: readonly (string | number)[];
}

export function Ordered<Row>(props: OrderedProps<Row>) {
  const { label, keyOf, nameOf, onOrder, actions, children } = props;
  const [moved, setMoved] = useState("");
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const sent = useRef<Promise<unknown>>(Promise.resolve());
  const known = props.rows.map(keyOf).join();
  const isAhead = wanted?.before.includes(known) ?? false;
  // It has come, or somebody else has made another one.
  if (wanted && !isAhead) setWanted(null);
  const place = (row: Row) => wanted?.keys.indexOf(keyOf(row)) ?? 0;
  const rows = isAhead ? props.rows.toSorted((a, b) => place(a) - place(b)) : props.rows;
  const move = async (row: Row, at: number, to: number) => {
    if (!onOrder || to < 0 || to >= rows.length) return;
    const changed = rows.toSpliced(at, 1).toSpliced(to, 0, row);
    // At once, so that who moves a row several places need not wait; sent one after the other.
    const before = isAhead && wanted ? [...wanted.before, wanted.keys.join()] : [known];
    setWanted({ before, keys: changed.map(keyOf) });
    sent.current = sent.current.then(() => onOrder(changed));
    try {
      await sent.current;
      setMoved(
        t("{name} is number {place, number} of {count, number} now.", {
          name: nameOf(row),
          place: to + 1,
          count: rows.length,
        }),
      );
    } catch (error) {
      sent.current = Promise.resolve();
      setWanted(null);
      showFailure(error);
    }
  };
  const drag = useRowDrag(rows.map(keyOf).join(), (from, to) => {
    const row = rows[from];
    if (row !== undefined) void move(row, from, to);
  });
  const isMovable = onOrder !== undefined && rows.length > 1;
  return (
    <>
      <ol className={css.list} aria-label={label}>
        {rows.map((row, at) => (
          <li
            key={keyOf(row)}
            className={classes(css.item, css.ordered, at === drag.dragged && css.dragged)}
            style={drag.styleOf(at)}
          >
            {isMovable ? (
              // For the pointer alone: keyboard and screen reader have the buttons.
              <span className={css.handle} aria-hidden="true" {...drag.handle(at)}>
                <GripVertical size={16} strokeWidth={1.5} />
              </span>
            ) : null}
            <div className={css.itemText}>{children(row)}</div>
            <div className={css.rowButtons}>
              {isMovable ? (
                // At the ends they are not disabled: that would take the focus away from who moves a row several places.
                <>
                  <IconButton
                    size="small"
                    icon={ArrowUp}
                    label={t("Move {name} up", { name: nameOf(row) })}
                    aria-disabled={at === 0}
                    onClick={() => void move(row, at, at - 1)}
                  />
                  <IconButton
                    size="small"
                    icon={ArrowDown}
                    label={t("Move {name} down", { name: nameOf(row) })}
                    aria-disabled={at === rows.length - 1}
                    onClick={() => void move(row, at, at + 1)}
                  />
                </>
              ) : null}
              {actions?.(row)}
            </div>
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {moved}
      </p>
    </>
  );
}
