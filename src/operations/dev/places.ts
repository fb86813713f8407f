import type { CastMember, SampleChannel } from "./schema.ts";

const everyone: readonly CastMember[] = ["ines", "tomas", "priya", "hugo", "mei", "omar", "ruth", "paul"];

/** Where reports of messages go. */
export const moderation = "moderation";

export const channels: readonly SampleChannel[] = [
  {
    name: "harbor",
    description: "What concerns **all** of us.",
    folder: "Company",
    members: everyone,
    isDefault: true,
  },
  {
    name: "kitchen",
    description: "Anything but work.",
    folder: "Company",
    members: everyone,
    isDefault: true,
  },
  {
    name: "leadership",
    description: "Plans that are not ready to be shared.",
    folder: "Company",
    members: ["ines", "tomas"],
    invite_only: true,
    history_public_to_subscribers: false,
  },
  {
    name: moderation,
    description: "What people report to the moderators.",
    folder: "Company",
    members: ["ines", "tomas", "priya"],
    invite_only: true,
    history_public_to_subscribers: true,
  },
  {
    name: "firmware",
    description: "The code inside the buoys. Issues are in the [tracker](https://tracker.example.com).",
    folder: "Projects",
    members: ["tomas", "hugo", "mei", "priya", "ines"],
  },
  {
    name: "field work",
    description: "Where the boats go, and what they bring back.",
    folder: "Projects",
    members: ["omar", "ruth", "priya", "ines", "lena"],
  },
  {
    name: "tide models",
    description: "Mathematics of moving water.",
    folder: "Projects",
    members: ["mei", "ruth", "priya", "omar"],
  },
  {
    name: "housing design",
    description: "Cases, seals and screws.",
    folder: "Projects",
    members: ["hugo", "ruth", "omar", "lena"],
    invite_only: true,
    history_public_to_subscribers: true,
  },
];

export const groups = [
  {
    name: "on-call",
    description: "The people who wake up when a buoy falls silent",
    members: ["hugo", "mei"],
  },
  { name: "boat-crew", description: "People with sea legs", members: ["omar", "ruth", "priya"] },
] as const;
