import { describe, expect, test } from "bun:test";
import { type World, world } from "../support/world.ts";

const seen = (w: World, onboarding_step?: string) =>
  w.as("mel").post("/users/me/onboarding_steps", { onboarding_step });

async function remaining(w: World, name: "mel" | "max" = "mel") {
  const { state } = await w.queue(name, { fetch_event_types: ["onboarding_steps"] });
  expect(state.navigation_tour_video_url).toBeNull();
  return state.onboarding_steps;
}

describe("post-users-me-onboarding-steps", () => {
  test("removes the step, and emits it to the user's own clients", async () => {
    const w = world();
    const before = await remaining(w);
    const [step, ...rest] = before;
    expect(step).toEqual({ type: "one_time_notice", name: "intro_inbox_view_modal" });
    const { status, events } = await seen(w, step.name);

    expect(status).toBe(200);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "onboarding_steps", onboarding_steps: rest } },
    ]);
    expect(await remaining(w)).toEqual(rest);
    expect(await remaining(w, "max")).toEqual(before);
  });

  test("emits a step once", async () => {
    const w = world();
    await seen(w, "visibility_policy_banner");
    expect(await seen(w, "visibility_policy_banner")).toMatchObject({ status: 200, events: [] });
  });

  test("refuses an unknown step, and a missing one", async () => {
    const w = world();
    expect(await seen(w, "dance")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Unknown onboarding step." },
      events: [],
    });
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: "onboarding_step" };
    expect(await seen(w)).toMatchObject({ status: 400, body, events: [] });
  });
});
