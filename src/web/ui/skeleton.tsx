import css from "./skeleton.module.css";

/** Grey lines while content loads. Screen readers announce once that it is loading. */
export function Skeleton({ lines = 3, avatar = false }: { lines?: number; avatar?: boolean }) {
  const widths = ["92%", "78%", "64%", "86%", "55%"];
  return (
    <div className={css.skeleton} aria-hidden="true">
      {avatar ? <span className={css.avatar} /> : null}
      <div className={css.lines}>
        {Array.from({ length: lines }, (_, line) => line).map((line) => (
          <span key={line} className={css.line} style={{ width: widths[line % widths.length] }} />
        ))}
      </div>
    </div>
  );
}
