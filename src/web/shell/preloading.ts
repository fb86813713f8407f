import { useEffect } from "react";

const after = 2000;

/** Fetches what must open at once, so that it takes the first key that is typed into it, when the first view is there. */
export function usePreloading(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const parts = [
        import("../features/commands/palette.tsx"),
        import("../features/people/person-card.tsx"),
      ];
      // Whoever opens one of them fetches it again, and is told if that fails.
      for (const part of parts) part.catch(() => {});
    }, after);
    return () => clearTimeout(timer);
  }, []);
}
