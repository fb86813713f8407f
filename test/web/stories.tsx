// A page with every component of the kit and every kind of message content, for kit.test.ts.
import { Bell, Hash, Inbox, Pencil, Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { Avatar, PresenceDot } from "@/web/ui/avatar.tsx";
import { Badge, Tag } from "@/web/ui/badge.tsx";
import { Banner } from "@/web/ui/banner.tsx";
import { Button, IconButton } from "@/web/ui/button.tsx";
import { copyWithNotice, pressContent } from "@/web/ui/content/behaviours.ts";
import type { ContentReader } from "@/web/ui/content/enhance.ts";
import { MessageHtml } from "@/web/ui/content/message-html.tsx";
import { Confirm, Dialog } from "@/web/ui/dialog.tsx";
import { EmptyState } from "@/web/ui/empty-state.tsx";
import { Checkbox, Radios, Select, Switch, TextArea, TextField } from "@/web/ui/field.tsx";
import { Menu, MenuAt } from "@/web/ui/menu.tsx";
import { Popover } from "@/web/ui/popover.tsx";
import { Skeleton } from "@/web/ui/skeleton.tsx";
import { Table } from "@/web/ui/table.tsx";
import { Tabs } from "@/web/ui/tabs.tsx";
import { showToast, Toasts } from "@/web/ui/toasts.tsx";
import { Tips } from "@/web/ui/tooltip.tsx";
import "@/web/ui/emoji-font.ts";
import "@/web/ui/tokens.css";
import "@/web/ui/contrast.css";
import "@/web/ui/base.css";

declare global {
  var messages: readonly string[];
}

const picture =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 4'%3E%3Crect width='4' height='4' fill='%2377a'/%3E%3C/svg%3E";

function Controls() {
  const [on, setOn] = useState(true);
  const [theme, setTheme] = useState("system");
  const [tab, setTab] = useState("general");
  const [asking, setAsking] = useState(false);
  return (
    <>
      <h2>Buttons</h2>
      <p style={{ display: "flex", gap: 8, flexWrap: "wrap" }}>
        <Button look="primary">Send</Button>
        <Button icon={Plus}>New topic</Button>
        <Button look="quiet">Cancel</Button>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete …
        </Button>
        <Button busy>Saving</Button>
        <IconButton label="Edit" icon={Pencil} keys="E" />
        <Menu
          label="Message"
          trigger={<Button>Menu</Button>}
          items={[
            { label: "Edit", icon: Pencil, keys: "E", onSelect: () => showToast({ text: "Edited" }) },
            {
              label: "Copy link",
              onSelect: () => void copyWithNotice("https://confab.example.com", "Link copied"),
            },
            { label: "Followed", checked: true, onSelect: () => {} },
            "line",
            { label: "Delete", icon: Trash2, danger: true, onSelect: () => {} },
          ]}
        />
        <Popover label="Card" trigger={<Button>Popover</Button>}>
          <p style={{ padding: 16 }}>
            See <a href="#a">the channel of the launch</a>.
          </p>
        </Popover>
      </p>
      <h2>Fields</h2>
      <TextField label="Name" value="launch" onChange={() => {}} hint="Everyone sees it." />
      <TextField label="Address" value="x" onChange={() => {}} error="This is not an address." />
      <TextArea label="Description" value="" onChange={() => {}} placeholder="What is it about?" />
      <Select
        label="Theme"
        value={theme}
        onChange={setTheme}
        choices={[
          { value: "system", label: "As the system" },
          { value: "dark", label: "Dark" },
        ]}
      />
      <Switch label="Enter sends" checked={on} onChange={setOn} hint="Shift+Enter starts a new line." />
      <Checkbox label="Announce it" checked={on} onChange={setOn} />
      <Radios
        legend="Who may see it"
        value="public"
        onChange={() => {}}
        choices={[
          { value: "public", label: "Everyone" },
          { value: "private", label: "Who is subscribed", hint: "Others do not learn that it exists." },
        ]}
      />
      <h2>Marks</h2>
      <p style={{ display: "flex", gap: 8, alignItems: "center", flexWrap: "wrap" }}>
        <Avatar src={picture} presence="active" />
        <Avatar src={picture} presence="idle" size={24} />
        <PresenceDot state="active" /> <PresenceDot state="idle" /> <PresenceDot state="offline" />
        <Badge count={3} /> <Badge count={12} look="strong" />{" "}
        <Badge count={1} look="mention" what="mentions" />
        <Tag text="Guest" look="warn" /> <Tag text="Bot" />
        <Hash size={18} strokeWidth={1.5} aria-hidden="true" />
      </p>
      <Banner look="warn" action={<Button size="small">Try again</Button>}>
        The connection is lost.
      </Banner>
      <Banner>Somebody invited you.</Banner>
      <Banner look="danger">This could not be sent.</Banner>
      <Banner look="good">Saved.</Banner>
      <Tabs
        label="Settings"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { id: "general", title: "General" },
          { id: "people", title: "People" },
          { id: "rights", title: "Permissions" },
        ]}
      >
        <Skeleton avatar />
      </Tabs>
      <EmptyState
        icon={Inbox}
        title="You have read everything"
        action={<Button icon={Bell}>See recent</Button>}
      >
        New messages appear here by conversation.
      </EmptyState>
      {asking ? (
        <Confirm
          title="Delete the topic?"
          action="Delete"
          danger
          onConfirm={() => Promise.reject(new Error("Only moderators may delete it."))}
          onClose={() => setAsking(false)}
        >
          <p>Its 40 messages are deleted for everyone.</p>
        </Confirm>
      ) : null}
    </>
  );
}

const boats = Array.from({ length: 3000 }, (_, at) => ({ id: at, name: `Boat ${at}`, berth: (at * 7) % 40 }));

function Tables() {
  return (
    <div style={{ display: "flex", height: 320 }}>
      <Table
        label="Boats"
        rows={boats}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        textOf={({ name }) => name}
        columns={[
          { id: "name", title: "Name", show: ({ name }) => name },
          {
            id: "berth",
            title: "Berth",
            show: ({ berth }) => `Berth ${berth}`,
            compare: (a, b) => a.berth - b.berth,
          },
        ]}
        linkOf={({ id }) => `#boats/${id}`}
        menuOf={({ name }) => [{ label: "Rename", onSelect: () => showToast({ text: `Rename ${name}` }) }]}
        actions={(marked, unmark) => [
          {
            label: "Launch",
            onSelect: () => {
              showToast({ text: `Launched ${marked.length}` });
              unmark();
            },
          },
        ]}
        empty={<EmptyState icon={Inbox} title="No boats" />}
      />
    </div>
  );
}

function Contents() {
  const reader = useMemo<ContentReader>(
    () => ({
      userId: 1,
      groupIds: new Set([1]),
      twentyFourHours: true,
      drawsEmoji: true,
      movingPictures: "always",
      mediaScale: 1,
      alertWords: ["tide"],
      emojiData: "",
    }),
    [],
  );
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [picture, setPicture] = useState("");
  const actions = {
    showPerson: (id: number) => void showToast({ text: `Person ${id}` }),
    showGroup: (id: number) => void showToast({ text: `Group ${id}` }),
    showMedia: ({ title }: { title: string }) => setPicture(title),
  };
  const press = (event: MouseEvent | KeyboardEvent) => pressContent(event, actions);
  const openMenu = (event: MouseEvent) => {
    event.preventDefault();
    setAt({ x: event.clientX, y: event.clientY });
  };
  return (
    <>
      <h2>Content</h2>
      <div role="log" aria-label="Messages" onClick={press} onKeyDown={press} onContextMenu={openMenu}>
        {globalThis.messages.map((html) => (
          <MessageHtml key={html} html={html} reader={reader} />
        ))}
      </div>
      <MenuAt
        label="Here"
        at={at}
        onClose={() => setAt(null)}
        items={[{ label: "Quote", onSelect: () => showToast({ text: "Quoted" }) }]}
      />
      {picture ? (
        <Dialog title={picture} onClose={() => setPicture("")}>
          <p>A picture.</p>
        </Dialog>
      ) : null}
    </>
  );
}

function Stories() {
  return (
    <main
      style={{
        display: "flex",
        flexDirection: "column",
        gap: 16,
        maxWidth: 760,
        margin: "auto",
        padding: 16,
      }}
    >
      <h1>Stories</h1>
      <Controls />
      <Tables />
      <Contents />
      <Toasts />
      <Tips />
    </main>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<Stories />);
