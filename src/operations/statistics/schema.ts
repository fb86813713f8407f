import { z } from "zod";
import { setting, settings } from "@/kernel/store/settings.ts";

/** How long after a count the next one is due, in seconds. */
export const countSeconds = 3_600;

/** So many days can be asked for at once: three years. */
export const maxDays = 1_096;

const bytes = z.int().min(0);

/** Bytes of uploaded files by what they are. */
const uploadSizes = z.object({ pictures: bytes, videos: bytes, sounds: bytes, others: bytes });
export type UploadSizes = z.infer<typeof uploadSizes>;

/** Numbers of a count that was not made on some days are null there. */
const numbers = z.array(z.int().min(0));
const someNumbers = z.array(z.int().min(0).nullable());

/** What happened day by day: each list has a number for each day, the oldest first. Days are those of UTC. */
export const statistics = z.object({
  first_day: z.iso.date(),
  messages: numbers,
  /** Of the messages. */
  direct_messages: numbers,
  /** People and bots who sent messages. */
  senders: numbers,
  /** Channels in which messages were sent. */
  channels_in_use: numbers,
  /** People who used a client. */
  active_people: someNumbers,
  /** People who used one on that day or the six before. */
  active_people_of_week: someNumbers,
  /** Of the channels and people that there are now, those that were there on that day. */
  channels: numbers,
  people: numbers,
  storage: z.object({ database: bytes, ...uploadSizes.shape }),
  /** When messages and files were last counted, in UNIX seconds; null while earlier days are counted for the first time. */
  counted_at: z.int().nullable(),
});
export type Statistics = z.infer<typeof statistics>;

/** What was sent on a day, counted from 1970. */
const dayMessages = z.object({
  day: z.int(),
  messages: z.int(),
  direct_messages: z.int(),
  senders: z.int(),
  channels: z.int(),
});
export type DayMessages = z.infer<typeof dayMessages>;

export const countingState = settings("statistics", {
  next_id: setting(z.int(), 0, "From which message on the next count begins"),
  open: setting(dayMessages.nullable(), null, "What the messages from that one on have added to their day"),
  counted_at: setting(z.int(), 0, "When all messages and files were last counted, in UNIX seconds"),
  uploads: setting(
    uploadSizes,
    { pictures: 0, videos: 0, sounds: 0, others: 0 },
    "Bytes of uploaded files by what they are",
  ),
});
