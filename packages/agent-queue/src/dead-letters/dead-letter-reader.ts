/**
 * Reads a dead letter queue from a position on, also while another pipeline writes it.
 */
import { type Disk, DiskError } from '@shoal/runtime';
import { type DeadLetterEntry, readDeadLetter, segmentNames } from './dead-letter-entry.ts';

/** Start of the next entry; stored by the reader's owner between processes. */
export interface DeadLetterPosition {
  readonly segment: number;
  readonly offset: number;
}

export class DeadLetterReader {
  readonly #disk: Disk;
  readonly #directory: string;
  #position: DeadLetterPosition;

  constructor(disk: Disk, directory: string, position: DeadLetterPosition = { segment: 0, offset: 0 }) {
    this.#disk = disk;
    this.#directory = directory;
    this.#position = position;
  }

  get position(): DeadLetterPosition {
    return this.#position;
  }

  /** Up to `countMax` entries; none when there is nothing new. */
  async next(countMax: number): Promise<readonly DeadLetterEntry[]> {
    const entries: DeadLetterEntry[] = [];
    const names = await this.#names();
    for (const [i, { number, name }] of names.entries()) {
      if (number < this.#position.segment) continue;
      if (number > this.#position.segment) this.#position = { segment: number, offset: 0 };
      const isWhole = await this.#readSegment(name, countMax, entries);
      if (entries.length >= countMax || !isWhole || i === names.length - 1) break;
    }
    return entries;
  }

  /** Deletes the segments before the one it stands in; that one stays, also when it is read whole: numbers go up from it. */
  async removeConsumed(): Promise<void> {
    for (const { number, name } of await this.#names()) {
      if (number >= this.#position.segment) continue;
      try {
        await this.#disk.unlink(`${this.#directory}/${name}`);
      } catch (error) {
        // Its writer had no room for it any more.
        if (!(error instanceof DiskError) || error.kind !== 'notFound') throw error;
      }
    }
  }

  async #names(): Promise<readonly { readonly number: number; readonly name: string }[]> {
    try {
      return segmentNames(await this.#disk.list(this.#directory));
    } catch (error) {
      // Nothing was ever written to it.
      if (error instanceof DiskError && error.kind === 'notFound') return [];
      throw error;
    }
  }

  /** false when the segment went away between its listing and now: the next call lists again. */
  async #readSegment(name: string, countMax: number, into: DeadLetterEntry[]): Promise<boolean> {
    let bytes: Uint8Array;
    try {
      bytes = await this.#disk.readFile(`${this.#directory}/${name}`);
    } catch (error) {
      if (error instanceof DiskError && error.kind === 'notFound') return false;
      throw error;
    }
    while (into.length < countMax) {
      const read = readDeadLetter(bytes, this.#position.offset);
      if (read === null) break;
      into.push(read.entry);
      this.#position = { segment: this.#position.segment, offset: read.end };
    }
    return true;
  }
}
