// What uploaded files take up: the largest, whose they are, and those that nobody links to, which can be deleted.
import { Files } from "lucide-react";
import { useState } from "react";
import type {
  DeletedFiles,
  StoredFile,
  UnlinkedFiles,
  UploadSpace,
  UserSpace,
} from "@/messaging/uploads/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { type Loaded, useLoaded } from "../../api/loaded.ts";
import type { RequestParams } from "../../api/request.ts";
import { formatBytes, formatNumber } from "../../lib/amounts.ts";
import { useKept } from "../../lib/kept.ts";
import { locale, t } from "../../lib/texts.ts";
import { fullTime, shortTime } from "../../lib/times.ts";
import { Tag } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { hashOf } from "../../ui/routes/route.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import type { SectionProps } from "../settings/sectioned.tsx";
import css from "./files-section.module.css";
import { SpaceBanner } from "./scarce-space.tsx";

const lists = [
  { value: "largest", label: t("The largest files") },
  { value: "people", label: t("Whose files they are") },
  { value: "unlinked", label: t("Files that nobody links to") },
] as const;
type List = (typeof lists)[number]["value"];

const pageSize = 50;

export function FilesSection({ path: [id] }: SectionProps) {
  return id === undefined ? (
    <AllFiles />
  ) : (
    <FilesOf key={id} userId={/^\d{1,15}$/.test(id) ? Number(id) : 0} />
  );
}

function AllFiles() {
  const space = useLoaded<UploadSpace>("/attachments/space", { renewOn: ["attachment"] });
  const [list, setList] = useKept<List>("files list", "largest");
  return (
    <>
      {space.value === null ? null : <SpaceOfAll space={space.value} />}
      <Select label={t("Show")} value={list} choices={lists} onChange={setList} />
      {list === "largest" ? <LargestFiles /> : null}
      {list === "people" ? <SpaceOfUsers /> : null}
      {list === "unlinked" ? <FilesWithoutLinks onDeleted={space.again} /> : null}
    </>
  );
}

function SpaceOfAll({ space }: { space: UploadSpace }) {
  const { used, quota } = space.organization;
  return (
    <>
      <p className={css.quiet}>
        {quota === null
          ? t("All files together: {used}.", { used: formatBytes(used) })
          : t("All files together: {used} of {quota}.", {
              used: formatBytes(used),
              quota: formatBytes(quota),
            })}
      </p>
      <SpaceBanner space={space} />
    </>
  );
}

function FilesOf({ userId }: { userId: number }) {
  const name = useSelect(({ users }) => users[userId]?.full_name) ?? t("Somebody");
  return (
    <>
      <p className={css.back}>
        <a href={hashOf({ view: "organization", section: "files" })}>{t("Files")}</a>
      </p>
      <h2 className={css.title}>
        <bdi>{name}</bdi>
      </h2>
      <LargestFiles userId={userId} />
    </>
  );
}

function LargestFiles({ userId }: { userId?: number }) {
  const params = userId === undefined ? {} : { user_id: userId };
  const first = useLoaded<{ files: StoredFile[] }>("/attachments/largest", {
    params: { ...params, limit: pageSize },
  });
  const { api } = useClient();
  const load = async (after: RequestParams) =>
    (await api.get<{ files: StoredFile[] }>("/attachments/largest", { ...params, ...after })).files;
  return (
    <PagedFiles
      label={userId === undefined ? t("The largest files") : t("Files")}
      first={first}
      files={first.value?.files ?? null}
      load={load}
    />
  );
}

interface PagedFilesProps {
  label: string;
  first: Pick<Loaded<unknown>, "problem" | "again">;
  /** The first page. */
  files: StoredFile[] | null;
  load: (after: RequestParams) => Promise<StoredFile[]>;
}

function PagedFiles({ label, first, files, load }: PagedFilesProps) {
  const users = useSelect((state) => state.users);
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const [more, setMore] = useState<{ after: StoredFile[]; files: StoredFile[]; isLast: boolean } | null>(
    null,
  );
  const [isLoading, setLoading] = useState(false);
  const known = more !== null && more.after === files ? more : null;
  const rows = files && known ? [...files, ...known.files] : files;
  const last = rows?.at(-1);
  const mayBeMore = known ? !known.isLast : files?.length === pageSize;
  const showMore = () => {
    if (!files || !last) return;
    setLoading(true);
    load({ after_size: last.size, after_id: last.id, limit: pageSize })
      .then((found) => {
        setMore({
          after: files,
          files: [...(known?.files ?? []), ...found],
          isLast: found.length < pageSize,
        });
      }, showFailure)
      .finally(() => setLoading(false));
  };
  const ownerOf = ({ owner_id }: StoredFile) => users[owner_id]?.full_name ?? t("Somebody");
  const columns: Column<StoredFile>[] = [
    {
      id: "name",
      title: t("Name"),
      width: "minmax(0, 2fr)",
      show: ({ name, is_linked }) => (
        <span className={css.name}>
          <bdi>{name}</bdi>
          {is_linked ? null : <Tag text={t("In no message")} />}
        </span>
      ),
    },
    { id: "size", title: t("Size"), width: "90px", show: ({ size }) => formatBytes(size) },
    { id: "owner", title: t("Owner|of a file"), show: (file) => <bdi>{ownerOf(file)}</bdi> },
    {
      id: "uploaded",
      title: t("Uploaded"),
      width: "110px",
      show: ({ uploaded_at: at }) => (
        <time title={fullTime(at, isTwentyFour)}>{shortTime(at, isTwentyFour)}</time>
      ),
    },
  ];
  return (
    <>
      <Table
        label={label}
        rows={rows}
        problem={first.problem}
        again={first.again}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={columns}
        empty={<EmptyState icon={Files} title={t("No files here")} />}
      />
      {rows && rows.length > 0 && mayBeMore ? (
        <div className={css.buttons}>
          <Button busy={isLoading} onClick={showMore}>
            {t("Show more files")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function SpaceOfUsers() {
  const users = useSelect((state) => state.users);
  const found = useLoaded<{ users: UserSpace[] }>("/attachments/users", { params: { limit: 200 } });
  const nameOf = ({ user_id }: UserSpace) => users[user_id]?.full_name ?? t("Somebody");
  return (
    <Table
      label={t("Whose files they are")}
      rows={found.value?.users ?? null}
      problem={found.problem}
      again={found.again}
      keyOf={({ user_id }) => user_id}
      nameOf={nameOf}
      linkOf={({ user_id }) => hashOf({ view: "organization", section: "files", path: [String(user_id)] })}
      columns={[
        { id: "name", title: t("Name"), width: "minmax(0, 2fr)", show: (one) => <bdi>{nameOf(one)}</bdi> },
        { id: "files", title: t("Files"), show: ({ files }) => formatNumber(files) },
        { id: "size", title: t("Size"), show: ({ bytes }) => formatBytes(bytes) },
      ]}
      empty={<EmptyState icon={Files} title={t("No files here")} />}
    />
  );
}

const ages = [7, 30, 90, 365].map((value) => ({
  value,
  label: new Intl.NumberFormat(locale, { style: "unit", unit: "day", unitDisplay: "long" }).format(value),
}));

function FilesWithoutLinks({ onDeleted }: { onDeleted: () => void }) {
  const { api } = useClient();
  const [days, setDays] = useState(30);
  const [isAsking, setAsking] = useState(false);
  const params = { older_than_days: days };
  const first = useLoaded<UnlinkedFiles>("/attachments/unlinked", { params: { ...params, limit: pageSize } });
  const load = async (after: RequestParams) =>
    (await api.get<UnlinkedFiles>("/attachments/unlinked", { ...params, ...after })).largest;
  const deleteAll = async () => {
    const done = { files: 0, bytes: 0 };
    try {
      for (let after: number | null = 0; after !== null; ) {
        const some: DeletedFiles = await api.delete("/attachments/unlinked", { ...params, after_id: after });
        done.files += some.files;
        done.bytes += some.bytes;
        after = some.last_id;
      }
    } finally {
      // Also where it stopped half-way.
      first.again();
      onDeleted();
    }
    showToast({ text: wordDeleted(done.files, done.bytes) });
  };
  const { files = 0, bytes = 0 } = first.value ?? {};
  return (
    <>
      <Select label={t("Uploaded at least this long ago")} value={days} choices={ages} onChange={setDays} />
      {files === 0 ? null : (
        <>
          <p className={css.quiet} role="status">
            {t(
              "{count, plural, one {# file} other {# files}}, {size}: no message links to them, and no draft or scheduled message of their owners.",
              { count: files, size: formatBytes(bytes) },
            )}
          </p>
          <div className={css.buttons}>
            <Button look="danger" onClick={() => setAsking(true)}>
              {t("Delete all of them …")}
            </Button>
          </div>
        </>
      )}
      <PagedFiles
        label={t("Files that nobody links to")}
        first={first}
        files={first.value?.largest ?? null}
        load={load}
      />
      {isAsking ? (
        <Confirm
          title={t("Delete {count, plural, one {# file} other {# files}} for good?", { count: files })}
          action={t("Delete")}
          danger
          onConfirm={deleteAll}
          onClose={() => setAsking(false)}
        >
          <p>
            {t(
              "They take up {size}. Nobody can bring them back, and their owners’ lists no longer show them.",
              {
                size: formatBytes(bytes),
              },
            )}
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

const wordDeleted = (count: number, bytes: number) =>
  t("{count, plural, one {# file} other {# files}} deleted, {size}.", { count, size: formatBytes(bytes) });
