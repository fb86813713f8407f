import { useEffect, useRef } from "react";

/**
 * Calls `leave` when the person goes to another address, with the browser's buttons, too: what lies over a view goes with it. An
 * address that the client replaces, because the open topic was renamed, closes nothing.
 */
export function useLeaving(leave: () => void): void {
  const newest = useRef(leave);
  newest.current = leave;
  useEffect(() => {
    const onPopState = () => newest.current();
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }, []);
}
