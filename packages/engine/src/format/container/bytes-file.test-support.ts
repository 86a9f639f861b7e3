/** Bytes as a file that can be read and nothing else, and what was read of it. */
import type { File } from '@shoal/runtime';

export interface BytesFile extends File {
  /** Ranges that were read, each as its start and end. */
  readonly reads: [number, number][];
}

export function bytesFile(whole: Uint8Array): BytesFile {
  const reads: [number, number][] = [];
  const unused = () => Promise.reject(new Error('only read'));
  return {
    reads,
    readIntoSync: (target, offset) => {
      reads.push([offset, offset + target.length]);
      target.set(whole.subarray(offset, offset + target.length));
      return target.length;
    },
    sizeBytes: async () => whole.length,
    close: async () => {},
    ...{ write: unused, read: unused, writeSync: () => {}, sync: unused, truncate: unused },
  };
}
