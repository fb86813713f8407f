import { createRoot } from "react-dom/client";
import { boot } from "./sign-in/boot.ts";
import { SignIn } from "./sign-in/sign-in.tsx";

const place = document.getElementById("root");
if (place) createRoot(place).render(boot.signed_in ? <p>Signed in.</p> : <SignIn />);
