/**
 * First searches of segments that were just opened: what each reads of their files, and how long that takes.
 *
 * A search is measured on segments that are opened anew, of which nothing but the directory is in memory. The files themselves are
 * in the page cache of the operating system: a disk adds its own time for the ranges that are told.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SegmentBytes } from '../../packages/engine/dist/format/container/segment-bytes.js';
import { FlatSegment } from '../../packages/engine/dist/format/flat-segment.js';

/** Bytes that are written to a file at once. */
const WRITTEN_BYTES = 64 * 1024 * 1024;

/** A file that counts what is read of it. */
class CountedFile {
  bytes = 0;
  ranges = 0;
  #descriptor;
  #length;

  constructor(path, length) {
    this.#descriptor = openSync(path, 'r');
    this.#length = length;
  }

  readIntoSync(target, offset) {
    this.bytes += target.length;
    this.ranges++;
    return readSync(this.#descriptor, target, 0, target.length, offset);
  }

  async sizeBytes() {
    return this.#length;
  }

  async close() {
    closeSync(this.#descriptor);
  }
}

export class ColdSearches {
  #folder = mkdtempSync(join(tmpdir(), 'cold-searches-'));
  #searcher;
  #memory;
  #files;

  /** Writes the segments of the searcher to files, which stay until `close`. */
  constructor(searcher, memory) {
    this.#searcher = searcher;
    this.#memory = memory;
    this.#files = searcher.views.map(({ segment }, i) => {
      const path = join(this.#folder, `${i}.seg`);
      const { bytes } = segment;
      const descriptor = openSync(path, 'w');
      for (let at = 0; at < bytes.length; at += WRITTEN_BYTES)
        writeSync(descriptor, bytes, at, Math.min(WRITTEN_BYTES, bytes.length - at));
      closeSync(descriptor);
      return { path, length: bytes.length };
    });
  }

  /** Bytes of the files. */
  get sizeBytes() {
    return this.#files.reduce((sum, { length }) => sum + length, 0);
  }

  /** Runs `search` with a searcher over the segments as they are opened: milliseconds, bytes and ranges of the files. */
  async run(search) {
    const counted = [];
    const views = [];
    for (const [i, { path, length }] of this.#files.entries()) {
      const file = new CountedFile(path, length);
      const container = await SegmentBytes.ofFile(path, file, () => {});
      const from = this.#searcher.views[i];
      // Nothing is fetched: the stored documents are those of the segment in memory.
      const stored = from.segment.stored.bytes;
      const segment = FlatSegment.openFile(container, this.#memory, stored);
      segment.pin();
      counted.push({ file, bytes: file.bytes, ranges: file.ranges });
      views.push({ ...from, segment });
    }
    const startedMs = performance.now();
    await search({ ...this.#searcher, views });
    const ms = performance.now() - startedMs;
    const sum = (key) => counted.reduce((total, one) => total + one.file[key] - one[key], 0);
    const measured = { ms, bytes: sum('bytes'), ranges: sum('ranges') };
    for (const { segment } of views) {
      segment.unpin();
      segment.dropSections();
      segment.container.release();
    }
    return measured;
  }

  close() {
    rmSync(this.#folder, { recursive: true });
  }
}
