// Notification sounds, synthesized in the browser: there is no file to load.

interface Note {
  hertz: number;
  /** Seconds after the start. */
  at: number;
}

/** By the setting's values. */
const sounds: Readonly<Record<string, readonly Note[]>> = {
  chime: [
    { hertz: 659.3, at: 0 },
    { hertz: 880, at: 0.14 },
    { hertz: 1318.5, at: 0.28 },
  ],
  ding: [{ hertz: 1174.7, at: 0 }],
  zulip: [
    { hertz: 784, at: 0 },
    { hertz: 1046.5, at: 0.12 },
  ],
};

const [loudness, fading] = [0.12, 0.5];
let context: AudioContext | null = null;

/** Plays the named sound; silent for "none", or if the browser blocks sounds. */
export function playSound(name: string): void {
  const notes = sounds[name];
  if (!notes || !("AudioContext" in globalThis)) return;
  context ??= new AudioContext();
  const { currentTime: now, destination } = context;
  for (const { hertz, at } of notes) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "sine";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, now + at);
    volume.gain.linearRampToValueAtTime(loudness, now + at + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + at + fading);
    tone.connect(volume).connect(destination);
    tone.start(now + at);
    tone.stop(now + at + fading);
  }
}
