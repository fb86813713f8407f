import { type RefObject, useRef } from "react";

/** A ref with the newest value, for effects that must not run again when it changes. */
export function useLatest<T>(value: T): RefObject<T> {
  const box = useRef(value);
  box.current = value;
  return box;
}
