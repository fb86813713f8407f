// Compresses in threads of its own with libdeflate, which Bun offers in no form that runs while other work goes on.
import { availableParallelism } from "node:os";

declare const self: Worker;

/** Four compress as fast as one thread reads, and checks, what they compress. */
const maxThreads = 4;

export interface Deflater {
  /** How many parts may be under way, so that no thread waits while another part is read. */
  readonly width: number;
  /** Takes the bytes of a part from the caller. Rejects if its thread fails, also because of another part. */
  compress(part: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  /** Stops the threads at once. */
  end(): void;
}

export function startDeflater(count = Math.min(availableParallelism(), maxThreads)): Deflater {
  const url = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
  const threads: Thread[] = [];
  let parts = 0;
  return {
    width: 2 * count,
    compress(part) {
      const nth = parts++ % count;
      threads[nth] ??= startThread(url);
      return threads[nth].compress(part);
    },
    end() {
      for (const thread of threads) thread.end();
      URL.revokeObjectURL(url);
    },
  };
}

/** Runs in a thread as its only code, so it may use nothing that is defined outside. */
function work(): void {
  self.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
    try {
      // Takes two thirds of the time of zlib's level 2, and archives are no larger.
      const member = Bun.gzipSync(data, { library: "libdeflate", level: 1 });
      postMessage(member, [member.buffer]);
    } catch (error) {
      postMessage(String(error));
    }
  };
}

interface Thread {
  compress(part: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  end(): void;
}

function startThread(url: string): Thread {
  const worker = new Worker(url);
  const waiting: PromiseWithResolvers<Uint8Array<ArrayBuffer>>[] = [];
  let failure: Error | null = null;
  const stop = (reason: string) => {
    failure ??= new Error(`A thread that compresses stopped: ${reason}`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer> | string>) => {
    if (typeof data === "string") stop(data);
    else waiting.shift()?.resolve(data);
  };
  worker.onerror = ({ message }) => stop(message);
  worker.onmessageerror = () => stop("its answer could not be read");
  worker.addEventListener("close", () => stop("it ended"));
  return {
    compress(part) {
      if (failure) return Promise.reject(failure);
      worker.postMessage(part, [part.buffer]);
      const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
      waiting.push(answer);
      return answer.promise;
    },
    end: () => worker.terminate(),
  };
}
