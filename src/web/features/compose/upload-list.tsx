import { X } from "lucide-react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/texts.ts";
import { wordSpace } from "../../lib/upload-space.ts";
import { Banner } from "../../ui/banner.tsx";
import { IconButton } from "../../ui/button.tsx";
import css from "./upload-list.module.css";
import type { Upload } from "./uploads.ts";
import type { useUploads } from "./use-uploads.ts";

interface UploadListProps {
  of: ReturnType<typeof useUploads>;
}

/** The files that are being uploaded, and words before there is no more space. */
export function UploadList({ of: { uploads, space, dismiss, dismissSpace } }: UploadListProps) {
  const scarce = space && wordSpace(space);
  return (
    <>
      {scarce ? (
        <div className={css.space}>
          <Banner look={scarce.isLate ? "warn" : "info"} onDismiss={dismissSpace}>
            {scarce.text}
          </Banner>
        </div>
      ) : null}
      {uploads.length > 0 ? <Uploads uploads={uploads} onDismiss={dismiss} /> : null}
    </>
  );
}

interface UploadsProps {
  uploads: readonly Upload[];
  onDismiss: (id: number) => void;
}

function Uploads({ uploads, onDismiss }: UploadsProps) {
  return (
    <ul className={css.uploads} aria-label={t("Uploads")}>
      {uploads.map(({ id, name, progress, problem }) => (
        <li key={id} className={classes(css.upload, problem && css.failed)}>
          <span className={css.name}>
            <bdi>{name}</bdi>
          </span>
          {problem ? (
            <span role="alert">{problem}</span>
          ) : (
            <progress
              className={css.progress}
              value={progress}
              max={1}
              aria-label={t("Uploading {name}", { name })}
            />
          )}
          <IconButton
            size="small"
            icon={X}
            label={problem ? t("Dismiss {name}", { name }) : t("Cancel {name}", { name })}
            onClick={() => onDismiss(id)}
          />
        </li>
      ))}
    </ul>
  );
}
