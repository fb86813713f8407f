// The page on which people read about the API and try it. Without scripts, it can still be read.

import { z } from "zod";
import type { ApiModel, EndpointModel, EventModel, ParameterModel } from "@/kernel/http/api-model.ts";
import { type Params, RawAnswer } from "@/kernel/http/endpoint.ts";
import { type Html, html, sourceOf } from "@/kernel/http/html.ts";
import { shapeText } from "@/kernel/http/shape-text.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { style } from "./style.ts";

export const paths = { document: "/api/openapi.json", page: "/api/docs", script: "/api/docs.js" };

const policy = () =>
  `default-src 'none'; style-src ${sourceOf(style)}; script-src 'self'; connect-src 'self'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** A page as an answer; nothing in it depends on who asks. */
export function docsAnswer(page: Html): RawAnswer {
  return new RawAnswer(page.text, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy(),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
}

export function* docsPage({ domains, events, errors }: ApiModel): Task<Html> {
  const sections: Html[] = [];
  for (const { name, endpoints } of domains) {
    const articles: Html[] = [];
    for (const endpoint of endpoints) {
      articles.push(endpointArticle(endpoint));
      yield 1;
    }
    sections.push(html`<h2>${name.replaceAll("-", " ")}</h2>\n${articles}`);
  }
  const happenings: Html[] = [];
  for (const event of events) {
    happenings.push(eventArticle(event));
    yield 1;
  }
  const codes = Map.groupBy(errors, ({ code }) => code);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Confab API</title>
<style>${{ text: style }}</style>
<script type="module" src="${paths.script}"></script>
</head>
<body>
<div class="page">
<nav aria-label="Endpoints">
${domains.map(({ name, endpoints }) => html`<details><summary>${name.replaceAll("-", " ")}</summary><ul>${endpoints.map(({ id }) => html`<li><a href="#${id}">${id}</a></li>`)}</ul></details>\n`)}<a href="#events">Events</a>
<a href="#errors">Errors</a>
</nav>
<main>
<h1>Confab API</h1>
<p>Everything that bots and clients can ask of this server. For programs, the same as an
<a href="${paths.document}">OpenAPI document</a>.</p>
<p class="soft">Requests carry an e-mail address and an API key by HTTP Basic. Parameters come in the query or in a form: texts as they
are, everything else as JSON. Answers are JSON with <code>result</code> <code>success</code> or <code>error</code>.</p>
<div class="who" hidden>
<label>E-mail address, to try endpoints<input id="who-email" type="email" autocomplete="off" placeholder="or as you are signed in"></label>
<label>API key<input id="who-key" type="password" autocomplete="off"></label>
</div>
${sections}
<h2 id="events">Events</h2>
<p>What a client reads from <a href="#get-events">get-events</a> after <a href="#register-queue">register-queue</a>.</p>
${happenings}
<h2 id="errors">Errors</h2>
<div class="scroll"><table><thead><tr><th>Code</th><th>Status</th></tr></thead><tbody>
${[...codes].map(([code, all]) => html`<tr><td><code>${code}</code></td><td>${[...new Set(all.map(({ status }) => status))].join(", ")}</td></tr>\n`)}</tbody></table></div>
</main>
</div>
</body>
</html>
`;
}

const credentials = {
  user: "",
  address: "The key may be the parameter api_key.",
  watcher: "Also with a token of confab metrics make-token.",
  public: "Also without credentials, about what is public on the web.",
  none: "Needs no credentials.",
};

function endpointArticle({
  id,
  about,
  method,
  path,
  auth,
  headers,
  parameters,
  returns,
}: EndpointModel): Html {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const shape = returns && Object.keys(returns).length > 0 ? shapeText(z.object(returns)) : null;
  return html`<article>
<h3 id="${id}"><a href="#${id}">${id}</a></h3>
<p class="route"><span class="method ${method}">${method}</span> ${path}</p>
<p>${about} ${credentials[auth] && html`<span class="soft">${credentials[auth]}</span>`}</p>
${(parameters.length > 0 || Object.keys(headers).length > 0) && parameterTable(parameters, { inPath, headers })}${shape !== null && html`<details><summary>Returns</summary><pre tabindex="0">${shape}</pre></details>\n`}<details class="trial" data-method="${method}" data-path="${path}" hidden><summary>Try it</summary></details>
</article>
`;
}

function parameterTable(
  parameters: readonly ParameterModel[],
  { inPath, headers }: { inPath: ReadonlySet<string | undefined>; headers: Params },
): Html {
  const rows = parameters.map(({ name, alsoNamed, rule }) => {
    const shape = shapeText(rule, "input").replaceAll(/\s+/g, " ");
    const isRequired = !rule.safeParse(undefined).success;
    const facts = [
      inPath.has(name) ? "in the path" : isRequired ? "required" : "",
      alsoNamed.length > 0 ? `also as ${alsoNamed.join(", ")}` : "",
    ];
    const place = inPath.has(name) ? "path" : "field";
    return html`<tr data-name="${name}" data-place="${place}" data-required="${String(isRequired)}" data-shape="${shape.slice(0, 80)}"><td><code>${name}</code></td><td><code>${shape}</code></td><td class="soft">${facts.filter(Boolean).join("; ")}</td></tr>\n`;
  });
  for (const name of Object.keys(headers))
    rows.push(
      html`<tr data-name="${name}" data-place="header" data-required="false" data-shape="string"><td><code>${name}</code></td><td><code>string</code></td><td class="soft">header</td></tr>\n`,
    );
  return html`<div class="scroll"><table><thead><tr><th>Parameter</th><th>Type</th><th><span class="sr">Remarks</span></th></tr></thead><tbody>
${rows}</tbody></table></div>
`;
}

function eventArticle({ type, op, about, schema }: EventModel): Html {
  return html`<article>
<h3>${op === undefined ? type : `${type}, ${op}`}</h3>
<p>${about}</p>
<details><summary>Fields</summary><pre tabindex="0">${shapeText(schema)}</pre></details>
</article>
`;
}
