import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import "./api/parts.ts";
import { boot, opensClient } from "./features/sign-in/boot.ts";
import { keepDestination, restoreDestination } from "./features/sign-in/destination.ts";
import { App } from "./shell/app.tsx";
import { Broken } from "./shell/broken.tsx";
import "./ui/emoji-font.ts";
import "./ui/tokens.css";
import "./ui/contrast.css";
import "./ui/base.css";

const SignIn = lazy(() =>
  import("./features/sign-in/sign-in.tsx").then(({ SignIn: page }) => ({ default: page })),
);

if (opensClient) restoreDestination();
else keepDestination();
const place = document.getElementById("root");
if (place) {
  let isBroken = false;
  const root = createRoot(place, {
    // React has emptied the page.
    onUncaughtError: (error) => {
      reportError(error);
      if (!isBroken) queueMicrotask(() => root.render(<Broken />));
      isBroken = true;
    },
  });
  root.render(
    opensClient ? (
      <App boot={boot} />
    ) : (
      <Suspense>
        <SignIn />
      </Suspense>
    ),
  );
}
