// The page's first script: requests the state while the rest of the client loads.
import { registerEarly } from "./api/registering.ts";
import { boot, opensClient } from "./features/sign-in/boot.ts";

if (opensClient) registerEarly(boot.csrf_cookie);
