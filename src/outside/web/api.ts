import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { clientFile, serviceWorker } from "./files.ts";
import { clientPage, webManifest } from "./pages.ts";

const open = { method: "GET", root: true, auth: "none" } as const;

export default domain({
  name: "web",
  about: "the pages that hold the web client, and its files",
  endpoints: [
    endpoint("get-client-page", {
      about: "Returns the page that holds the web client.",
      ...open,
      path: "/",
      run: (ctx, _, request) => clientPage(ctx, request),
    }),
    endpoint("get-sign-in-page", {
      about:
        "Returns the page of the web client, which shows the sign-in form to browsers without a session.",
      ...open,
      path: "/login",
      run: (ctx, _, request) => clientPage(ctx, request),
    }),
    endpoint("get-client-file", {
      about: "Returns a file of the web client. Its name changes with its content.",
      ...open,
      path: "/static/web/{file:.+}",
      mayBeOutdated: true,
      params: { file: z.string() },
      run: (_, { file }, request) => clientFile(file, request),
    }),
    endpoint("get-service-worker", {
      about: "Returns the script by which browsers receive notifications while no page is open.",
      ...open,
      path: "/service-worker.js",
      mayBeOutdated: true,
      run: (_ctx, _, request) => serviceWorker(request),
    }),
    endpoint("get-web-manifest", {
      about: "Returns what browsers need to install the web client.",
      ...open,
      path: "/manifest.webmanifest",
      run: (ctx, _, request) => webManifest(ctx, request),
    }),
  ],
});
