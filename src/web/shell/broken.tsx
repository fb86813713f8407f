import { Button } from "../ui/button.tsx";
import css from "./app.module.css";

/** Replaces the page after a fault in it, or if a part of it could not be loaded. */
export function Broken() {
  return (
    <main className={css.waiting}>
      <h1 className={css.title}>This page could not be shown</h1>
      <p role="alert">
        A part of it could not be loaded, or has a fault. What you wrote and did not send is kept as a draft.
      </p>
      <Button look="primary" onClick={() => location.reload()}>
        Load the page again
      </Button>
      <Button
        onClick={() => {
          location.hash = "#inbox";
          location.reload();
        }}
      >
        Go to the inbox
      </Button>
    </main>
  );
}
