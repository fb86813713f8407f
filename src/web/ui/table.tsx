// A table of any length: rows are searched, sorted, marked and opened, and only those near the window exist.
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, ChevronsUpDown, EllipsisVertical, SearchX, X } from "lucide-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { classes } from "../lib/classes.ts";
import { useKept } from "../lib/kept.ts";
import { fold } from "../lib/matching.ts";
import { useStore } from "../lib/observable.ts";
import { narrow } from "../lib/panes.ts";
import { useRoving } from "../lib/roving.ts";
import { t } from "../lib/texts.ts";
import { Button, IconButton } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Select, TextField } from "./field.tsx";
import { Failing } from "./loading.tsx";
import { Menu } from "./menu.tsx";
import type { MenuAction } from "./menu-item.ts";
import { goTo } from "./routes/navigation.ts";
import { Skeleton } from "./skeleton.tsx";
import css from "./table.module.css";

export type RowKey = string | number;

export interface Column<Row> {
  id: string;
  title: string;
  /** The width in a wide window, as in `grid-template-columns`; "1fr" by default. */
  width?: string;
  show: (row: Row) => ReactNode;
  /** Makes the head a button that sorts. */
  compare?: (a: Row, b: Row) => number;
  /** False if the second line, in which a narrow window shows all columns but the first, leaves it out. */
  inNarrow?: boolean;
}

export interface TableProps<Row> {
  /** What the rows are: the table's name. Search, order and place are kept by it when one comes back. */
  label: string;
  /** Null while they are loaded. */
  rows: readonly Row[] | null;
  /** Why they could not be loaded. */
  problem?: string | null;
  again?: () => void;
  keyOf: (row: Row) => RowKey;
  /** What a row is called, for screen readers. */
  nameOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** What the search looks through; without it there is no search field. */
  textOf?: (row: Row) => string;
  /** Fields beside the search. */
  filters?: ReactNode;
  /** Where a row leads. */
  linkOf?: (row: Row) => string;
  /** What can be done with a row, in a menu at its end. */
  menuOf?: (row: Row) => readonly MenuAction[];
  /** What can be done with the marked rows; without it no row can be marked. */
  actions?: (marked: readonly Row[], unmark: () => void) => readonly MenuAction[];
  /** Instead of the table, if there are no rows at all. */
  empty: ReactNode;
}

interface Order {
  column: string;
  isDown: boolean;
}

const [headHeight, rowHeight, cardHeight] = [40, 48, 64];

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, problem = null, again, empty, filters, textOf, columns } = props;
  const isNarrow = useStore(narrow);
  const [wanted, setWanted] = useKept(`${label} wanted`, "");
  const [order, setOrder] = useKept<Order | null>(`${label} order`, null);
  const shown = useShown(props, useDeferredValue(wanted), order);
  if (rows === null && problem !== null && again) return <Failing problem={problem} again={again} />;
  const sortable = columns.filter(({ compare }) => compare);
  // Without a row, a search is of no use; filters may be why there is none.
  const hasTools = filters !== undefined || (textOf !== undefined && rows?.length !== 0);
  return (
    <div className={css.table}>
      {hasTools ? (
        <div className={css.tools}>
          {textOf ? (
            <TextField
              type="search"
              label={t("Search this list")}
              quietLabel
              placeholder={t("Search this list")}
              value={wanted}
              onChange={setWanted}
            />
          ) : null}
          {filters}
          {isNarrow && sortable.length > 1 ? (
            <Select
              label={t("Order")}
              quietLabel
              value={order?.column ?? ""}
              choices={[
                { value: "", label: t("Order") },
                ...sortable.map(({ id, title }) => ({ value: id, label: title })),
              ]}
              onChange={(column) => setOrder(column === "" ? null : { column, isDown: false })}
            />
          ) : null}
        </div>
      ) : null}
      {rows === null ? (
        <div aria-busy="true">
          <Skeleton lines={10} />
        </div>
      ) : rows.length === 0 ? (
        <div>{empty}</div>
      ) : (
        <Rows {...props} shown={shown} all={rows} order={order} onOrder={setOrder} isNarrow={isNarrow} />
      )}
    </div>
  );
}

/** The rows that are found, in their order. */
function useShown<Row>(
  { rows, columns, textOf }: TableProps<Row>,
  wanted: string,
  order: Order | null,
): readonly Row[] {
  // The functions may be new in each render: what they say depends on the rows.
  const latest = useRef({ columns, textOf });
  latest.current = { columns, textOf };
  const texts = useMemo(() => (rows ?? []).map((row) => fold(latest.current.textOf?.(row) ?? "")), [rows]);
  const sorted = useMemo(() => {
    const all = (rows ?? []).map((row, at) => ({ row, text: texts[at] ?? "" }));
    const compare = latest.current.columns.find(({ id }) => id === order?.column)?.compare;
    if (!compare) return all;
    const way = order?.isDown ? -1 : 1;
    return all.sort((a, b) => way * compare(a.row, b.row));
  }, [rows, texts, order]);
  return useMemo(() => {
    const parts = fold(wanted).split(/\s+/).filter(Boolean);
    return sorted.flatMap(({ row, text }) => (parts.every((part) => text.includes(part)) ? [row] : []));
  }, [sorted, wanted]);
}

interface RowsProps<Row> extends TableProps<Row> {
  shown: readonly Row[];
  all: readonly Row[];
  order: Order | null;
  onOrder: (order: Order) => void;
  isNarrow: boolean;
}

/** Where each table was left, by its name. */
const offsets = new Map<string, number>();

function Rows<Row>(props: RowsProps<Row>) {
  const { label, shown, all, keyOf, columns, actions, menuOf, isNarrow } = props;
  const marks = useMarks(shown, all, keyOf);
  const scroller = useRef<HTMLDivElement>(null);
  /** The row that gets the focus once it is drawn. */
  const wanted = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? cardHeight : rowHeight),
    getItemKey: (index) => (shown[index] ? keyOf(shown[index]) : index),
    initialOffset: () => offsets.get(label) ?? 0,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      // The row with the focus stays.
      const focused = scroller.current?.querySelector<HTMLElement>("[data-row]:focus-within")?.dataset.index;
      const at = focused === undefined ? -1 : Number(focused);
      return at < 0 || at >= shown.length || near.includes(at) ? near : [...near, at].sort((a, b) => a - b);
    },
    overscan: 10,
    scrollMargin: isNarrow ? 0 : headHeight,
    scrollPaddingStart: isNarrow ? 0 : headHeight,
    useFlushSync: false,
  });
  const focusWanted = (): boolean => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return false;
    wanted.current = undefined;
    row.focus();
    return true;
  };
  const { ref, ...roving } = useRoving<HTMLDivElement>((by) => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.index;
    const at = wanted.current ?? Number(focused ?? 0);
    const to = by === "first" ? 0 : by === "last" ? shown.length - 1 : at + by;
    wanted.current = Math.max(0, Math.min(shown.length - 1, to));
    if (!focusWanted()) virtualizer.scrollToIndex(wanted.current);
  });
  useLayoutEffect(() => void focusWanted());
  const setScroller = useCallback(
    (element: HTMLDivElement) => {
      scroller.current = element;
      const release = ref(element);
      return () => {
        offsets.set(label, element.scrollTop);
        release();
      };
    },
    [ref, label],
  );
  const widths = columns.map(({ width = "minmax(0, 1fr)" }) => width);
  const template = [actions && "32px", ...(isNarrow ? ["minmax(0, 1fr)"] : widths), menuOf && "40px"]
    .filter(Boolean)
    .join(" ");
  return (
    <>
      {shown.length === 0 ? <EmptyState icon={SearchX} title={t("Nothing found")} /> : null}
      <div
        ref={setScroller}
        {...roving}
        className={classes(css.scroller, shown.length === 0 && css.none)}
        style={{ "--columns": template } as CSSProperties}
        data-virtual
      >
        <table aria-label={label} aria-rowcount={shown.length + (isNarrow ? 0 : 1)}>
          {isNarrow ? null : <Heads {...props} marks={marks} />}
          <tbody style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ key, index, start }) => {
              const row = shown[index];
              return row === undefined ? null : (
                <OneRow
                  key={String(key)}
                  {...props}
                  row={row}
                  index={index}
                  top={start - virtualizer.options.scrollMargin}
                  marks={marks}
                  measure={virtualizer.measureElement}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      {actions && marks.rows.length > 0 ? (
        <MarkedBar actions={actions} marks={marks} isNarrow={isNarrow} found={shown.length} />
      ) : null}
    </>
  );
}

interface Marks<Row> {
  rows: readonly Row[];
  has: (row: Row) => boolean;
  /** Also those from the row that was marked last, if `isRange`. */
  toggle: (index: number, isRange: boolean) => void;
  markAll: () => void;
  clear: () => void;
}

function useMarks<Row>(shown: readonly Row[], all: readonly Row[], keyOf: (row: Row) => RowKey): Marks<Row> {
  const [keys, setKeys] = useState<ReadonlySet<RowKey>>(new Set());
  const last = useRef(0);
  const rows = keys.size === 0 ? [] : all.filter((row) => keys.has(keyOf(row)));
  return {
    rows,
    has: (row) => keys.has(keyOf(row)),
    toggle: (index, isRange) => {
      const one = shown[index];
      if (one === undefined) return;
      const next = new Set(keys);
      const isMarking = !keys.has(keyOf(one));
      const [from, to] = isRange ? [last.current, index].sort((a, b) => a - b) : [index, index];
      for (const row of shown.slice(from, (to ?? index) + 1)) {
        if (isMarking) next.add(keyOf(row));
        else next.delete(keyOf(row));
      }
      last.current = index;
      setKeys(next);
    },
    markAll: () => setKeys(new Set([...keys, ...shown.map(keyOf)])),
    clear: () => setKeys(new Set()),
  };
}

function Heads<Row>({
  columns,
  actions,
  menuOf,
  order,
  onOrder,
  marks,
  shown,
}: RowsProps<Row> & { marks: Marks<Row> }) {
  const isAll = shown.length > 0 && shown.every(marks.has);
  return (
    <thead>
      <tr aria-rowindex={1}>
        {actions ? (
          <th className={css.mark}>
            <label>
              <span className="visually-hidden">{t("Mark all")}</span>
              <input type="checkbox" checked={isAll} onChange={isAll ? marks.clear : marks.markAll} />
            </label>
          </th>
        ) : null}
        {columns.map(({ id, title, compare }) => {
          const isSorted = order?.column === id;
          const Arrow = order?.isDown ? ArrowDown : ArrowUp;
          return (
            <th key={id} aria-sort={isSorted ? (order.isDown ? "descending" : "ascending") : undefined}>
              {compare ? (
                <button
                  type="button"
                  onClick={() => onOrder({ column: id, isDown: isSorted && !order.isDown })}
                >
                  {title}
                  {isSorted ? (
                    <Arrow size={14} strokeWidth={1.5} aria-hidden="true" />
                  ) : (
                    <ChevronsUpDown className={css.sortable} size={14} strokeWidth={1.5} aria-hidden="true" />
                  )}
                </button>
              ) : (
                title
              )}
            </th>
          );
        })}
        {menuOf ? (
          <th>
            <span className="visually-hidden">{t("More")}</span>
          </th>
        ) : null}
      </tr>
    </thead>
  );
}

interface OneRowProps<Row> extends RowsProps<Row> {
  row: Row;
  index: number;
  marks: Marks<Row>;
  /** Its place in the body. */
  top: number;
  measure: (element: Element | null) => void;
}

function OneRow<Row>(props: OneRowProps<Row>) {
  const { row, index, top, marks, measure, columns, nameOf, linkOf, menuOf, actions, isNarrow } = props;
  const [first, ...others] = columns;
  const link = linkOf?.(row);
  const items = menuOf?.(row) ?? [];
  const isMarked = marks.has(row);
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === " " && actions) marks.toggle(index, event.shiftKey);
    else if (event.key === "Enter" && link !== undefined) goTo(link);
    else return;
    event.preventDefault();
  };
  const open = ({ target, ctrlKey, metaKey }: MouseEvent) => {
    const isOwn = target instanceof Element && target.closest("a, button, input, label, select") !== null;
    if (isOwn || ctrlKey || metaKey || link === undefined) return;
    if (getSelection()?.isCollapsed !== false) goTo(link);
  };
  const name =
    link === undefined ? (
      first?.show(row)
    ) : (
      <a href={link} tabIndex={-1}>
        {first?.show(row)}
      </a>
    );
  return (
    <tr
      ref={measure}
      aria-rowindex={index + (isNarrow ? 1 : 2)}
      data-row
      data-index={index}
      tabIndex={-1}
      className={classes(link !== undefined && css.opens, isMarked && css.isMarked)}
      style={{ transform: `translateY(${top}px)` }}
      onKeyDown={press}
      onClick={open}
    >
      {actions ? (
        <td className={css.mark}>
          <label>
            <span className="visually-hidden">{t("Mark {name}", { name: nameOf(row) })}</span>
            <input
              type="checkbox"
              tabIndex={-1}
              checked={isMarked}
              onChange={({ nativeEvent }) =>
                marks.toggle(index, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        </td>
      ) : null}
      {isNarrow ? (
        <td>
          <div className={css.main}>{name}</div>
          <div className={css.second}>
            {others.map(({ id, show, inNarrow = true }) =>
              inNarrow ? <span key={id}>{show(row)}</span> : null,
            )}
          </div>
        </td>
      ) : (
        <>
          <td className={css.main}>{name}</td>
          {others.map(({ id, show }) => (
            <td key={id}>{show(row)}</td>
          ))}
        </>
      )}
      {menuOf ? (
        <td className={css.more}>
          {items.length > 0 ? (
            <Menu
              label={t("More about {name}", { name: nameOf(row) })}
              trigger={
                <IconButton
                  size="small"
                  label={t("More about {name}", { name: nameOf(row) })}
                  icon={EllipsisVertical}
                />
              }
              items={items}
            />
          ) : null}
        </td>
      ) : null}
    </tr>
  );
}

interface MarkedBarProps<Row> extends Required<Pick<TableProps<Row>, "actions">> {
  marks: Marks<Row>;
  isNarrow: boolean;
  found: number;
}

/** How many rows are marked, and what can be done with them. */
function MarkedBar<Row>({ actions, marks, isNarrow, found }: MarkedBarProps<Row>) {
  const { rows, clear, markAll } = marks;
  const items = actions(rows, clear);
  return (
    <div className={css.bar}>
      <span role="status" className={css.count}>
        {t("{count, plural, one {# row marked} other {# rows marked}}", { count: rows.length })}
      </span>
      {rows.length < found ? (
        <Button size="small" look="quiet" onClick={markAll}>
          {t("Mark all {count, number}", { count: found })}
        </Button>
      ) : null}
      {isNarrow ? (
        <Menu
          label={t("Actions for the marked rows")}
          trigger={<Button size="small">{t("Actions")}</Button>}
          items={items}
        />
      ) : (
        items.map(({ label, icon, danger, disabled = false, onSelect }) => (
          <Button
            key={label}
            size="small"
            look={danger ? "danger" : "plain"}
            {...(icon ? { icon } : {})}
            disabled={disabled}
            onClick={onSelect}
          >
            {label}
          </Button>
        ))
      )}
      <IconButton size="small" label={t("Unmark all")} icon={X} onClick={clear} />
    </div>
  );
}
