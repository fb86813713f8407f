/** The hint that clients of the family show above the inbox once; ours are the first steps. */
export const hint = "intro_inbox_view_modal";
