// Zulip's messages are Markdown like ours, but the people, channels and files they refer to get new IDs here.
import { outsideCode } from "@/operations/import/intake/markdown-parts.ts";
import { referTo, withoutMarks } from "@/operations/import/intake/references.ts";

/** The names and IDs that texts may refer to. */
export interface ZulipNames {
  /** Keys of people, by lower-case name. */
  people: ReadonlyMap<string, string>;
  /** Keys of channels, by lower-case name. */
  channels: ReadonlyMap<string, string>;
  hasPerson(key: string): boolean;
  hasChannel(key: string): boolean;
  hasFile(key: string): boolean;
}

const mention = /@(_?)\*\*([^*\n]+?)(?:\|(\d+))?\*\*/g;
const channelLink = /#\*\*([^*>\n]+)(?:>([^*@\n]*)(?:@(\d+))?)?\*\*/g;
const upload = /(?<![\w.])\/?user_uploads\/(?:thumbnail\/)?(\d+\/[^)\s\]"'<>?#]+)/g;
const narrow =
  /(?<=\]\()\/?#narrow\/(?:stream|channel)\/(\d+)[^/)\s]*(?:\/(?:topic|subject)\/([^/)\s]*))?(?:\/(?:near|with)\/(\d+))?/g;

export function fromZulip(given: string, names: ZulipNames): string {
  return outsideCode(withoutMarks(given), (part) => convertPart(part, names));
}

function convertPart(part: string, names: ZulipNames): string {
  return part
    .replaceAll(mention, (whole, silent: string, name: string, id: string | undefined) => {
      const key = id !== undefined && names.hasPerson(id) ? id : names.people.get(name.toLowerCase());
      return key === undefined ? whole : referTo(silent === "" ? "person" : "silent", key);
    })
    .replaceAll(channelLink, (whole, name: string, topic?: string, message?: string) => {
      const key = names.channels.get(name.toLowerCase());
      if (key === undefined) return whole;
      if (topic === undefined) return referTo("channel", key);
      const link = referTo("topic", key, topic);
      return message === undefined
        ? link
        : `[#${name} > ${topic} @ 💬](${referTo("near", key, topic, message)})`;
    })
    .replaceAll(upload, (whole, path: string) => {
      const key = decodePercent(path);
      return names.hasFile(key) ? referTo("address", key) : whole;
    })
    .replaceAll(narrow, (whole, channel: string, topic = "", message?: string) => {
      if (!names.hasChannel(channel)) return whole;
      return referTo("near", channel, decodePercent(topic.replaceAll(".", "%")), message ?? "");
    });
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
