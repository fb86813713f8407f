// Uploads of the composer. Until a file is stored, a line in the text names it; then the link replaces the line.
import { cookie } from "../../api/registering.ts";
import { type Api, Refusal } from "../../api/request.ts";
import { t } from "../../lib/texts.ts";

export interface Upload {
  id: number;
  name: string;
  /** From 0 to 1. */
  progress: number;
  /** Why it failed. */
  problem?: string;
  cancel: () => void;
}

export interface WebUpload {
  url: string;
  filename: string;
}

/** Uploads a file for a message, by XMLHttpRequest: `fetch` does not report progress. */
export function sendFile(
  file: File,
  csrfCookie: string,
  onProgress: (progress: number) => void,
): { done: Promise<WebUpload>; cancel: () => void } {
  const request = new XMLHttpRequest();
  const done = new Promise<WebUpload>((resolve, reject) => {
    request.open("POST", "/json/user_uploads");
    request.setRequestHeader("x-csrftoken", cookie(csrfCookie));
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Refusal(t("The server cannot be reached."), 0));
    request.onabort = () => reject(new Refusal(t("Cancelled."), 0));
    request.onload = () => {
      const answer: Record<string, unknown> = request.response ?? {};
      if (request.status === 200 && typeof answer.url === "string") {
        resolve({ url: answer.url, filename: String(answer.filename ?? file.name) });
      } else reject(new Refusal(String(answer.msg ?? t("The file could not be stored.")), request.status));
    };
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
  return { done, cancel: () => request.abort() };
}

/** Has the server make the thumbnails of a picture while the message is written, so that readers need not wait for them. */
export function prepareThumbnail(api: Api, { url }: WebUpload): void {
  // Without them, the picture is shown all the same, only later.
  api.get(url.replace(/^\/user_uploads\//, "/thumbnail/status/")).catch(() => {});
}

/** Uploads a picture of a person, a bot, the organization or an emoji. */
export async function sendPicture(
  path: string,
  file: File,
  csrfCookie: string,
  method: "POST" | "PATCH" = "POST",
): Promise<void> {
  const form = new FormData();
  form.append("file", file);
  const headers = { "x-csrftoken": cookie(csrfCookie) };
  const response = await fetch(`/json${path}`, { method, body: form, headers }).catch(() => null);
  if (!response) throw new Refusal(t("The server cannot be reached."), 0);
  if (response.ok) return;
  const answer: Record<string, unknown> = await response.json().catch(() => ({}));
  throw new Refusal(String(answer.msg ?? t("The picture could not be stored.")), response.status, answer);
}

/** The name, escaped for a link's text. */
export function linkTo({ url, filename }: WebUpload): string {
  return `[${filename.replace(/[[\]\\]/g, " ").trim()}](${url})`;
}

/** The line in the text until the file is stored. */
export function placeholderOf(name: string, id: number): string {
  const words = t("Uploading {name} …", { name: name.replace(/[[\]\\]/g, " ").trim() });
  return `[${words}](#upload-${id})`;
}

/** The files of a paste or a drop. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.size > 0 || file.type !== "");
}

/** The HTML that the server would make of the text. */
export async function renderMarkdown(api: Api, content: string): Promise<string> {
  const { rendered } = await api.post<{ rendered: string }>("/messages/render", { content });
  return rendered;
}
