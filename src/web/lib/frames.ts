// When the page is changed by what arrives: once a frame, and with pauses in which it belongs to the person.

/** A window that nobody sees may draw no frames. */
const longestFrame = 100;
const longestPause = 300;

/** Resolves just before the browser draws; at once in a tab that is not shown. */
function nextFrame(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, longestFrame);
    const frame = requestAnimationFrame(done);
    function done() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
  });
}

/** Applies a change before the next frame; resolves when the page has been free for twice as long as drawing it took. */
export async function changeInFrame(change: () => void): Promise<void> {
  await nextFrame();
  const begun = performance.now();
  change();
  await nextFrame();
  const taken = performance.now() - begun;
  await new Promise((resolve) => setTimeout(resolve, Math.min(longestPause, 2 * taken)));
}
