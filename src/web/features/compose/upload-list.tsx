import { X } from "lucide-react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import css from "./upload-list.module.css";
import type { Upload } from "./uploads.ts";

interface UploadListProps {
  uploads: readonly Upload[];
  onDismiss: (id: number) => void;
}

export function UploadList({ uploads, onDismiss }: UploadListProps) {
  if (uploads.length === 0) return null;
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
