/**
 * Reads the records of a persisted queue over all of its pages, and accounts for those that damage has made unreadable since the start.
 */
import type { Runtime } from '@shoal/runtime';
import { type DamagedRange, PageReader, type PageRecord } from './page-reader.ts';
import type { PageWriter } from './page-writer.ts';
import { quarantine } from './quarantine.ts';
import type { QueuePage } from './queue-page.ts';

export class RecordReader {
  readonly #runtime: Runtime;
  readonly #pages: PageWriter;
  readonly #onLost: (eventCount: number) => void;
  #reader: PageReader;
  /** Damage that was found and is not copied aside yet. */
  #damage: DamagedRange[] = [];

  /** @param onLost called with the events that could be read at the start and can no longer be */
  constructor(runtime: Runtime, pages: PageWriter, onLost: (eventCount: number) => void) {
    this.#runtime = runtime;
    this.#pages = pages;
    this.#onLost = onLost;
    this.#reader = this.#readerOf(pages.first);
  }

  /** The next record without going past it; null at the end of the last page. */
  async peek(): Promise<PageRecord | null> {
    for (;;) {
      const record = await this.#reader.peek();
      if (this.#damage.length > 0) await this.#keepDamage();
      if (record !== null) return record;
      this.#countLost();
      const next = this.#pages.pageAfter(this.#reader.page.number);
      if (next === null) return null;
      this.#reader = this.#readerOf(next);
    }
  }

  /** Goes past the record that `peek` gave. */
  async skip(): Promise<void> {
    await this.#reader.next();
  }

  #readerOf(page: QueuePage): PageReader {
    return new PageReader(page, (range) => this.#damage.push(range));
  }

  /** At the end of a page: records that were readable once and did not come are lost. */
  #countLost(): void {
    const { page, readCount } = this.#reader;
    const lost = page.readableCount - readCount;
    page.readableCount = readCount;
    if (lost <= 0) return;
    this.#runtime.log.error('events of a queue page can no longer be read', { page: page.path, lostEvents: lost });
    this.#onLost(lost);
  }

  async #keepDamage(): Promise<void> {
    const { disk, log } = this.#runtime;
    for (const range of this.#damage.splice(0)) await quarantine(disk, log, this.#reader.page, range);
  }
}
