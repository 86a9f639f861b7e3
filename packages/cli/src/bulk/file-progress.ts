/**
 * Progress of a long read on a terminal; silent where there is none, so that logs stay readable.
 */
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  update(bytes: number, documents: number): void;
  stop(): void;
}

/** A bar over the bytes of a file, on standard error. */
export function fileProgress(label: string, sizeBytes: number): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% | {documents} documents | {duration_formatted}`,
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  bar.start(sizeBytes, 0, { documents: 0 });
  let isRunning = true;
  return {
    update: (bytes, documents) => bar.update(bytes, { documents }),
    stop() {
      if (isRunning) bar.stop();
      isRunning = false;
    },
  };
}
