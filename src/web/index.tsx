import { createRoot } from "react-dom/client";
import { App } from "./shell/app.tsx";
import { boot } from "./sign-in/boot.ts";
import { SignIn } from "./sign-in/sign-in.tsx";
import "./ui/emoji-font.ts";
import "./ui/tokens.css";
import "./ui/base.css";

const place = document.getElementById("root");
if (place) {
  const isVisit = boot.open_to_visitors && location.pathname !== "/login";
  createRoot(place).render(boot.signed_in || isVisit ? <App boot={boot} /> : <SignIn />);
}
