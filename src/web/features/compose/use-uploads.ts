import { type RefObject, useCallback, useRef, useState } from "react";
import type { UploadSpace } from "@/messaging/uploads/schema.ts";
import { useClient } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { insertBlock, replaceRange } from "./text-area.ts";
import { linkTo, placeholderOf, prepareThumbnail, sendFile, type Upload } from "./uploads.ts";

let lastId = 0;

/** Uploads files into a text area: `add` inserts a line, which the link replaces later. */
export function useUploads(area: RefObject<HTMLTextAreaElement | null>) {
  const { api, boot } = useClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [space, setSpace] = useState<UploadSpace | null>(null);
  const cancels = useRef(new Map<number, () => void>());

  const change = useCallback((id: number, part: Partial<Upload>) => {
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));
  }, []);

  const put = useCallback(
    (id: number, name: string, text: string) => {
      const field = area.current;
      const placeholder = placeholderOf(name, id);
      const at = field?.value.indexOf(placeholder) ?? -1;
      if (!field || at < 0) return;
      const { selectionStart, selectionEnd } = field;
      const shift = text.length - placeholder.length;
      const moveBy = (place: number) => (place > at ? Math.max(at, place + shift) : place);
      const isFocused = document.activeElement === field;
      replaceRange(field, at, at + placeholder.length, text);
      field.setSelectionRange(moveBy(selectionStart), moveBy(selectionEnd));
      if (!isFocused) field.blur();
    },
    [area],
  );

  const remove = useCallback((id: number) => {
    cancels.current.delete(id);
    setUploads((all) => all.filter((one) => one.id !== id));
  }, []);

  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const id = ++lastId;
        const { name } = file;
        if (area.current) insertBlock(area.current, placeholderOf(name, id));
        const { done, cancel } = sendFile(file, boot.csrf_cookie, (progress) => change(id, { progress }));
        cancels.current.set(id, cancel);
        setUploads((all) => [...all, { id, name, progress: 0, cancel }]);
        done.then(
          (uploaded) => {
            put(id, name, linkTo(uploaded));
            remove(id);
            if (file.type.startsWith("image/")) prepareThumbnail(api, uploaded);
            // Without the answer, only the words before the end are missing.
            api.get<UploadSpace>("/attachments/space").then(setSpace, () => {});
          },
          (error: unknown) => {
            put(id, name, "");
            change(id, { problem: reasonOf(error) });
          },
        );
      }
    },
    [api, area, boot.csrf_cookie, change, put, remove],
  );

  const dismiss = useCallback(
    (id: number) => {
      cancels.current.get(id)?.();
      remove(id);
    },
    [remove],
  );

  const isUnderWay = uploads.some(({ problem }) => problem === undefined);
  const dismissSpace = useCallback(() => setSpace(null), []);
  return { uploads, space, isUnderWay, add, dismiss, dismissSpace };
}
