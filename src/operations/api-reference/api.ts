import { modelOf } from "@/kernel/http/api-model.ts";
import { type Domain, domain } from "@/kernel/http/domain.ts";
import { endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { version } from "../../../package.json";
import { openApi } from "./openapi.ts";
import { docsAnswer, docsPage, paths } from "./pages.ts";
import script from "./try.client.js" with { type: "text" };

const open = { method: "GET", root: true, auth: "none" } as const;
const checked = { "cache-control": "no-cache", "x-content-type-options": "nosniff" };

/** Documents the API of `domains`, which may include this domain. */
export default function apiReference(domains: () => readonly Domain[]): Domain {
  // Made on first use: they depend only on the code.
  const document = once(async () => JSON.stringify(await runInSlices(openApi(modelOf(domains()), version))));
  const page = once(async () => docsAnswer(await runInSlices(docsPage(modelOf(domains())))));
  return domain({
    name: "api-reference",
    about: "this API as an OpenAPI document, and as a page to read and try it",
    endpoints: [
      endpoint("get-openapi", {
        about: "Returns this API as an OpenAPI 3.1 document.",
        ...open,
        path: paths.document,
        run: async () => new RawAnswer(await document(), { ...checked, "content-type": "application/json" }),
      }),
      endpoint("get-api-docs", {
        about: "Returns the page on which people read about this API and try it.",
        ...open,
        path: paths.page,
        run: page,
      }),
      endpoint("get-api-docs-script", {
        about: "Returns the script of that page.",
        ...open,
        path: paths.script,
        run: () => new RawAnswer(script, { ...checked, "content-type": "text/javascript; charset=utf-8" }),
      }),
    ],
  });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
