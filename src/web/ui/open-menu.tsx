// Menus that are open.
import {
  autoUpdate,
  FloatingFocusManager,
  FloatingPortal,
  flip,
  offset,
  type Placement,
  shift,
  useDismiss,
  useFloating,
  useInteractions,
  useListNavigation,
  useRole,
  useTypeahead,
} from "@floating-ui/react";
import { Check } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { classes } from "../lib/classes.ts";
import { useLeaving } from "../lib/leaving.ts";
import css from "./menu.module.css";
import type { MenuAction, MenuItem } from "./menu-item.ts";
import { beside, fitting } from "./placement.ts";

interface OpenMenuProps {
  label: string;
  items: readonly MenuItem[];
  placement: Placement;
  button: RefObject<HTMLElement | null>;
  change: (open: boolean) => void;
  /** By keyboard, the first row gets the focus. */
  focusItemOnOpen: boolean;
}

/** An open menu, next to its button. */
export function OpenMenu({ label, items, button, ...opening }: OpenMenuProps) {
  const { change } = opening;
  const menu = useMenu({ items, reference: button.current, ...opening });
  return <MenuList label={label} items={items} menu={menu} close={() => change(false)} />;
}

export interface OpenMenuAtProps {
  label: string;
  items: readonly MenuItem[];
  /** The pointer's position. */
  at: { x: number; y: number };
  onClose: () => void;
}

/** An open menu, at the pointer. */
export function OpenMenuAt({ label, items, at, onClose }: OpenMenuAtProps) {
  const menu = useMenu({ change: (open) => !open && onClose(), placement: beside, items });
  const { setPositionReference } = menu.refs;
  useEffect(() => {
    setPositionReference({ getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) });
  }, [at, setPositionReference]);
  return <MenuList label={label} items={items} menu={menu} close={onClose} />;
}

interface Opening {
  change: (open: boolean) => void;
  placement: Placement;
  items: readonly MenuItem[];
  /** The element that it opens next to. */
  reference?: HTMLElement | null;
  focusItemOnOpen?: boolean;
}

function useMenu({ change, placement, items, reference, focusItemOnOpen }: Opening) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  useLeaving(() => change(false));
  const rows = useRef<(HTMLElement | null)[]>([]);
  const labels = useRef<(string | null)[]>([]);
  labels.current = items.map((item) => (isAction(item) ? item.label : null));
  const floating = useFloating({
    open: true,
    onOpenChange: change,
    placement,
    strategy: "fixed",
    whileElementsMounted: autoUpdate,
    middleware: [offset(4), flip({ padding: 8 }), shift({ padding: 8 }), fitting()],
    ...(reference && { elements: { reference } }),
  });
  const { context } = floating;
  const disabledIndices = items.flatMap((item, index) =>
    isAction(item) && item.disabled !== true ? [] : [index],
  );
  const interactions = useInteractions([
    useDismiss(context),
    useRole(context, { role: "menu" }),
    useListNavigation(context, {
      listRef: rows,
      activeIndex,
      onNavigate: setActiveIndex,
      loop: true,
      ...(focusItemOnOpen !== undefined && { focusItemOnOpen }),
      disabledIndices,
    }),
    useTypeahead(context, { listRef: labels, activeIndex, onMatch: setActiveIndex }),
  ]);
  return { ...floating, ...interactions, activeIndex, rows };
}

interface MenuListProps {
  label: string;
  items: readonly MenuItem[];
  menu: ReturnType<typeof useMenu>;
  close: () => void;
}

function MenuList({ label, items, menu, close }: MenuListProps) {
  const ticks = items.some((item) => isAction(item) && item.checked !== undefined && !item.sign);
  const signs = items.filter((item) => isAction(item) && item.sign !== undefined).length;
  const row = (item: MenuAction, index: number) => (
    <MenuRow key={item.label} item={item} index={index} menu={menu} ticks={ticks} close={close} />
  );
  return (
    <FloatingPortal>
      <FloatingFocusManager context={menu.context} modal={false} initialFocus={-1}>
        <div
          ref={menu.refs.setFloating}
          style={menu.floatingStyles}
          className={css.menu}
          {...menu.getFloatingProps({ "aria-label": label, "aria-labelledby": undefined } as object)}
        >
          {signs > 0 ? (
            <div className={css.signs} role="presentation">
              {items.slice(0, signs).map((item, index) => (isAction(item) ? row(item, index) : null))}
            </div>
          ) : null}
          {items.map((item, index) => {
            if (index < signs) return null;
            const key = isAction(item) ? item.label : `${index}`;
            if (item === "line") return <hr key={key} className={css.line} />;
            if (!isAction(item)) {
              return (
                <div key={item.title} className={css.title} role="presentation">
                  {item.title}
                </div>
              );
            }
            return row(item, index);
          })}
        </div>
      </FloatingFocusManager>
    </FloatingPortal>
  );
}

interface MenuRowProps {
  item: MenuAction;
  index: number;
  menu: ReturnType<typeof useMenu>;
  ticks: boolean;
  close: () => void;
}

function MenuRow({ item, index, menu, ticks, close }: MenuRowProps) {
  const { label, icon: Icon, keys, danger, disabled, checked, sign, onSelect } = item;
  const select = () => {
    close();
    onSelect();
  };
  const role =
    checked === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": checked };
  return (
    <button
      type="button"
      ref={(node) => {
        menu.rows.current[index] = node;
      }}
      className={classes(sign ? css.sign : css.row, danger && css.danger)}
      aria-label={sign ? label : undefined}
      tabIndex={menu.activeIndex === index ? 0 : -1}
      disabled={disabled}
      {...menu.getItemProps({ onClick: select })}
      {...role}
    >
      {sign && sign !== "icon" ? <Sign sign={sign} /> : null}
      {ticks && !sign ? (
        <span className={css.tick}>
          {checked ? <Check size={16} strokeWidth={2} aria-hidden="true" /> : null}
        </span>
      ) : null}
      {Icon ? <Icon size={16} strokeWidth={1.5} aria-hidden="true" className={css.icon} /> : null}
      {sign ? null : <span className={css.label}>{label}</span>}
      {keys ? (
        <span className={css.keys} aria-hidden="true" dir="ltr">
          {keys}
        </span>
      ) : null}
    </button>
  );
}

function Sign({ sign }: { sign: Exclude<NonNullable<MenuAction["sign"]>, "icon"> }) {
  if ("picture" in sign) return <img src={sign.picture} alt="" width={24} height={24} />;
  return (
    <span className={css.character} aria-hidden="true">
      {sign.character}
    </span>
  );
}

function isAction(item: MenuItem): item is MenuAction {
  return typeof item === "object" && "onSelect" in item;
}
