import { useRef } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import { sendPicture } from "../compose/uploads.ts";

/** The button that uploads the organization's picture. */
export function IconUpload() {
  const { boot } = useClient();
  const picture = useRef<HTMLInputElement>(null);
  const upload = (file: File | undefined) => {
    if (file) sendPicture("/realm/icon", file, boot.csrf_cookie).catch(showFailure);
  };
  return (
    <>
      <input
        ref={picture}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => upload(target.files?.[0])}
      />
      <Button onClick={() => picture.current?.click()}>{t("Upload a picture")}</Button>
    </>
  );
}
