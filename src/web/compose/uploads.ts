// Files on their way to the server. While one is under way, the text holds a line that names it; the link takes its place.
import { cookie } from "../api/registering.ts";
import { type Api, Refusal } from "../api/request.ts";

export interface Upload {
  id: number;
  name: string;
  /** From 0 to 1. */
  progress: number;
  /** Why it failed. */
  problem?: string;
  cancel: () => void;
}

export interface Uploaded {
  url: string;
  filename: string;
}

/** Uploads a file for a message. Only requests of this kind say how far they are, so that `fetch` does not serve. */
export function sendFile(
  file: File,
  csrfCookie: string,
  onProgress: (progress: number) => void,
): { done: Promise<Uploaded>; cancel: () => void } {
  const request = new XMLHttpRequest();
  const done = new Promise<Uploaded>((resolve, reject) => {
    request.open("POST", "/json/user_uploads");
    request.setRequestHeader("x-csrftoken", cookie(csrfCookie));
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Refusal("The server cannot be reached.", 0));
    request.onabort = () => reject(new Refusal("Cancelled.", 0));
    request.onload = () => {
      const answer: Record<string, unknown> = request.response ?? {};
      if (request.status === 200 && typeof answer.url === "string") {
        resolve({ url: answer.url, filename: String(answer.filename ?? file.name) });
      } else reject(new Refusal(String(answer.msg ?? "The file could not be stored."), request.status));
    };
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
  return { done, cancel: () => request.abort() };
}

/** Uploads a picture: of a person, of the organization, of an emoji. */
export async function sendPicture(path: string, file: File, csrfCookie: string): Promise<void> {
  const form = new FormData();
  form.append("file", file);
  const headers = { "x-csrftoken": cookie(csrfCookie) };
  const response = await fetch(`/json${path}`, { method: "POST", body: form, headers }).catch(() => null);
  if (!response) throw new Refusal("The server cannot be reached.", 0);
  if (response.ok) return;
  const answer: Record<string, unknown> = await response.json().catch(() => ({}));
  throw new Refusal(String(answer.msg ?? "The picture could not be stored."), response.status, answer);
}

/** The name as it may stand in a link's text. */
export function linkTo({ url, filename }: Uploaded): string {
  return `[${filename.replace(/[[\]\\]/g, " ").trim()}](${url})`;
}

/** What stands in the text until the file is stored. */
export function placeholderOf(name: string, id: number): string {
  return `[Uploading ${name.replace(/[[\]\\]/g, " ").trim()} …](#upload-${id})`;
}

/** The files of a paste or a drop. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.size > 0 || file.type !== "");
}

/** Renders as the message would look. */
export async function renderedBy(api: Api, content: string): Promise<string> {
  const { rendered } = await api.post<{ rendered: string }>("/messages/render", { content });
  return rendered;
}
