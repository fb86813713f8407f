// What the organization's settings are called, for all doors: commands, console and browser. Pure data.
import type { FixedKey } from "@/text/language/translator.ts";

/** A setting in words that every language knows. Without `values` and `form` it is a switch. */
export interface Worded {
  readonly about: FixedKey;
  readonly hint?: FixedKey;
  /** Each value in words; numbers may have others than these. */
  readonly values?: readonly (readonly [value: string | number, word: FixedKey])[];
  /** What the value is. A time is in seconds. */
  readonly form?: "text" | "long text" | "number" | "time" | "days" | "pixels" | "channel" | "language";
  /** Of numbers and times: what is offered to choose from. */
  readonly offers?: readonly number[];
  /** Whether the value may be null: no limit of a time, no address. */
  readonly nullable?: true;
  /** Whether only owners may change it. */
  readonly byOwners?: true;
  /** Whether it is a person's own alone: the organization has no default for new people. */
  readonly ownOnly?: true;
}

/** Settings under one heading, on a page of the browser client. */
export interface SettingArea<Page extends string = string> {
  readonly page: Page;
  readonly title: FixedKey;
  readonly rows: Readonly<Record<string, Worded>>;
}

type Names<A> = A extends { rows: infer R } ? keyof R & string : never;

/** The descriptions in a list of areas by the settings' names, each with its heading. */
export function describe<const A extends readonly SettingArea[]>(
  areas: A,
): Readonly<Record<Names<A[number]>, Worded & { area: FixedKey }>> {
  return Object.fromEntries(
    areas.flatMap(({ title, rows }) =>
      Object.entries(rows).map(([name, row]) => [name, { ...row, area: title }]),
    ),
  ) as Record<Names<A[number]>, Worded & { area: FixedKey }>;
}

const limits = [60, 600, 3600, 86_400, 604_800];

export const realmAreas = [
  {
    page: "general",
    title: "Organization",
    rows: {
      name: { about: "Name of the organization", form: "text" },
      description: { about: "Description", form: "long text" },
      org_type: {
        about: "Kind of organization",
        values: [
          [0, "Unspecified"],
          [10, "Business"],
          [20, "Open source"],
          [30, "Charitable school"],
          [35, "School"],
          [40, "Research"],
          [50, "Event"],
          [60, "Nonprofit"],
          [70, "Government"],
          [80, "Political"],
          [90, "Community"],
          [100, "Personal"],
          [1000, "Other"],
        ],
      },
      default_language: {
        about: "Language of new people, invitations and notices",
        form: "language",
      },
      default_code_block_language: {
        about: "Language of code blocks that name none",
        hint: "Such as python.",
        form: "text",
      },
    },
  },
  {
    page: "joining",
    title: "Joining",
    rows: {
      invite_required: { about: "Only people who are invited may join", byOwners: true },
      disallow_disposable_email_addresses: { about: "Refuse throw-away addresses", byOwners: true },
      emails_restricted_to_domains: {
        about: "Only addresses of the listed domains may join",
        byOwners: true,
      },
      waiting_period_threshold: {
        about: "Days until a new account is a full member",
        form: "number",
        byOwners: true,
      },
      enable_spectator_access: {
        about: "Public channels can be read without an account, where they allow it",
      },
      send_welcome_emails: { about: "New people get a welcome mail" },
      welcome_message_custom_text: {
        about: "Welcome message to new people",
        hint: "A direct message, in Markdown.",
        form: "long text",
      },
    },
  },
  {
    page: "people",
    title: "Names and guests",
    rows: {
      require_unique_names: { about: "Two people may not have the same name" },
      name_changes_disabled: { about: "People may not change their names" },
      email_changes_disabled: { about: "People may not change their addresses" },
      default_avatar_source: {
        about: "Pictures of new people who choose none",
        values: [
          ["G", "Gravatar, in apps that use it"],
          ["J", "Made by this server|pictures"],
        ],
      },
      avatar_changes_disabled: { about: "People may not change their pictures" },
      enable_read_receipts: { about: "People see who has read a message" },
      enable_guest_user_indicator: { about: "Guests are marked as such" },
      enable_guest_user_dm_warning: { about: "Warn before a direct message to a guest" },
    },
  },
  {
    page: "messages",
    title: "Changing messages",
    rows: {
      allow_message_editing: { about: "People may edit their messages" },
      message_content_edit_limit_seconds: {
        about: "How long a message may be edited",
        form: "time",
        offers: limits,
        nullable: true,
      },
      message_content_delete_limit_seconds: {
        about: "How long people may delete their messages",
        form: "time",
        offers: limits,
        nullable: true,
      },
      move_messages_within_stream_limit_seconds: {
        about: "How long a message may be moved to another topic",
        form: "time",
        offers: limits,
        nullable: true,
      },
      move_messages_between_streams_limit_seconds: {
        about: "How long a message may be moved to another channel",
        form: "time",
        offers: limits,
        nullable: true,
      },
      message_edit_history_visibility_policy: {
        about: "Earlier versions of messages that people see",
        values: [
          ["all", "All|versions"],
          ["moves", "Only where they were moved from"],
          ["none", "None|versions"],
        ],
      },
      topics_policy: {
        about: "Messages without a topic",
        values: [
          ["allow_empty_topic", "Allowed"],
          ["disable_empty_topic", "Not allowed"],
        ],
      },
    },
  },
  {
    page: "messages",
    title: "Links in messages",
    rows: {
      inline_image_preview: { about: "Show pictures that people upload" },
      media_preview_size: {
        about: "Size of pictures and videos in messages",
        values: [
          [100, "Usual"],
          [150, "Larger"],
          [200, "Twice as large"],
        ],
      },
      linked_image_preview: {
        about: "Show pictures that messages link to",
        hint: "The server fetches them, so linked sites see its address, but not who reads.",
      },
      inline_url_embed_preview: {
        about: "Show the title, text and picture of linked pages",
        hint: "The server fetches them, so linked sites see its address, but not who reads.",
      },
    },
  },
  {
    page: "messages",
    title: "Calls",
    rows: {
      video_chat_provider: {
        about: "Service for video calls",
        values: [
          [0, "None|service"],
          [1, "Jitsi"],
        ],
      },
      jitsi_server_url: {
        about: "Address of the Jitsi server",
        hint: "Such as https://meet.example.com.",
        form: "text",
        nullable: true,
      },
    },
  },
  {
    page: "notices",
    title: "Announcements",
    rows: {
      new_stream_announcements_stream_id: { about: "Channel that announces new channels", form: "channel" },
      signup_announcements_stream_id: { about: "Channel that announces new people", form: "channel" },
      send_channel_events_messages: { about: "Channels say when they are renamed, changed or archived" },
      moderation_request_channel_id: {
        about: "Channel that receives reports",
        hint: "A private one. Its members, but for guests, decide about reports, too.",
        form: "channel",
      },
      message_content_allowed_in_email_notifications: { about: "Mails may quote messages" },
    },
  },
  {
    page: "retention",
    title: "Keeping messages",
    rows: {
      message_retention_days: { about: "How long messages are kept", form: "days", byOwners: true },
    },
  },
] as const satisfies readonly SettingArea[];

export const realmWords = describe(realmAreas);
