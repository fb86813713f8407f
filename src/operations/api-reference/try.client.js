// Makes the forms that try endpoints, when they are opened; without script the page is still the whole reference.
const csrf = () => /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1];

for (const details of document.querySelectorAll("details.trial")) {
  details.hidden = false;
  details.addEventListener("toggle", () => details.open && build(details), { once: true });
}
document.querySelector(".who").hidden = false;

function build(details) {
  const { method, path } = details.dataset;
  const form = element("form", { className: "try" });
  const fields = [...details.parentElement.querySelectorAll("tr[data-name]")].map(({ dataset }) => {
    const input = element("input", {
      name: dataset.name,
      required: dataset.required === "true",
      autocomplete: "off",
    });
    input.placeholder = dataset.shape;
    form.append(element("label", { textContent: dataset.name }, input));
    return { input, place: dataset.place };
  });
  form.append(element("button", { textContent: "Send" }));
  const output = element("pre", { tabIndex: 0 });
  const status = element("p", { className: "soft" });
  status.setAttribute("role", "status");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send({ method, path, fields, status, output });
  });
  details.append(form, status, output);
  output.hidden = true;
}

async function send({ method, path, fields, status, output }) {
  status.textContent = "Sending …";
  const { url, init } = request(method, path, fields);
  try {
    const answer = await fetch(url, init);
    const text = await answer.text();
    status.textContent = `${method} ${url}: ${answer.status}`;
    output.textContent = readable(text);
  } catch {
    status.textContent = "The server did not answer.";
    output.textContent = "";
  }
  output.hidden = output.textContent === "";
}

function request(method, path, fields) {
  const params = new URLSearchParams();
  const headers = {};
  let target = path;
  for (const { input, place } of fields) {
    if (place === "path") target = target.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.value === "") continue;
    else if (place === "header") headers[input.name] = input.value;
    else params.set(input.name, input.value);
  }
  const [email, key] = ["email", "key"].map((id) => document.getElementById(`who-${id}`).value.trim());
  const init = { method, headers, credentials: "omit", cache: "no-store" };
  if (email !== "" && key !== "") {
    headers.authorization = `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${email}:${key}`)))}`;
  } else if (csrf()) {
    // Somebody who is signed in in this browser: their session.
    target = target.replace(/^\/api\/v1\//, "/json/");
    headers["x-csrftoken"] = csrf();
    init.credentials = "same-origin";
  }
  const isInBody = method !== "GET" && method !== "DELETE";
  if (isInBody) init.body = params;
  return { url: isInBody || params.size === 0 ? target : `${target}?${params}`, init };
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 10_000);
  }
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
