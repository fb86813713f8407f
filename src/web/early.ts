// The page's first script: asks for the state while the rest of the client is loaded.
import { registerEarly } from "./api/registering.ts";
import { boot, opensClient } from "./sign-in/boot.ts";

if (opensClient) registerEarly(boot.csrf_cookie);
