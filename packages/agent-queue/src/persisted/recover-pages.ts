/**
 * What an earlier process left of a persisted queue, made ready to go on.
 */
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { readCheckpoint } from './checkpoint.ts';
import { createPage, listPages, type OpenedPage, openPage } from './page-files.ts';
import { PAGE_HEAD_BYTES } from './page-format.ts';
import { quarantine } from './quarantine.ts';
import type { QueuePage } from './queue-page.ts';

export interface RecoveredPages {
  readonly pages: QueuePage[];
  readonly ackedSeq: number;
  readonly unfinishedCount: number;
  /** Events that were in the pages, not finished, and cannot be read. */
  readonly lostCount: number;
}

/** Opens what is there, passes over damage, removes what is done, and makes the first page of a new queue. */
export async function recoverPages(runtime: Runtime, directory: string): Promise<RecoveredPages> {
  const { disk, log } = runtime;
  const { checkpoint, isDamaged } = await readCheckpoint(disk, directory);
  if (isDamaged) log.warn('damaged queue checkpoint set aside: events may come again', { directory });
  const recovery = new Recovery(runtime, directory, checkpoint.ackedSeq);
  let lastNumber = checkpoint.lastPage;
  try {
    const numbers = await listPages(disk, directory);
    for (const number of numbers) await recovery.take(number, number === numbers.at(-1));
    lastNumber = Math.max(lastNumber, ...numbers);
    const { pages, ackedSeq, lostCount: lostEvents } = recovery;
    if (lostEvents > 0) log.error('events of the queue are lost: their pages are damaged', { directory, lostEvents });
    const nextSeq = Math.max(ackedSeq, ...pages.map((page) => page.nextSeq));
    // Never appended to: what follows the last whole record of an old page may be in any state.
    pages.push(await createPage(disk, directory, lastNumber + 1, nextSeq));
    return recovery;
  } catch (error) {
    for (const page of recovery.pages) await page.file.close();
    throw error;
  }
}

class Recovery implements RecoveredPages {
  readonly pages: QueuePage[] = [];
  ackedSeq: number;
  unfinishedCount = 0;
  lostCount = 0;
  readonly #runtime: Runtime;
  readonly #directory: string;
  /** First sequence number behind the page before; null before the first one. */
  #expectedSeq: number;
  /** The page before ends with damage: what it held at its end is not known from it. */
  #isEndBroken = false;

  constructor(runtime: Runtime, directory: string, ackedSeq: number) {
    this.#runtime = runtime;
    this.#directory = directory;
    this.ackedSeq = ackedSeq;
    this.#expectedSeq = ackedSeq;
  }

  async take(number: number, isLast: boolean): Promise<void> {
    const { disk } = this.#runtime;
    const opened = await openPage(disk, { directory: this.#directory, number, ackedSeq: this.ackedSeq });
    const { page } = opened;
    this.lostCount += this.#lostIn(opened, isLast);
    const isCopied = await this.#keepDamage(opened);
    if (page.readableCount > 0) this.#expectedSeq = page.nextSeq;
    if (opened.unfinishedCount === 0) {
      await page.file.close();
      if (isCopied) await disk.unlink(page.path);
      if (page.readableCount > 0) this.ackedSeq = Math.max(this.ackedSeq, page.nextSeq);
      return;
    }
    const last = this.pages.at(-1);
    assert(
      last === undefined || page.firstSeq >= last.nextSeq,
      `page ${number} begins at ${page.firstSeq}, page ${last?.number} before it ends at ${last?.nextSeq}`,
    );
    this.pages.push(page);
    this.unfinishedCount += opened.unfinishedCount;
  }

  /** Sequence numbers that are missing around damage, as far as they were not done with. */
  #lostIn({ page, damage, gaps }: OpenedPage, isLast: boolean): number {
    const missing = (fromSeq: number, toSeq: number): number => Math.max(0, toSeq - Math.max(fromSeq, this.ackedSeq));
    let lost = gaps.reduce((sum, { fromSeq, toSeq }) => sum + missing(fromSeq, toSeq), 0);
    const isStartBroken = damage.some(({ from }) => from === PAGE_HEAD_BYTES);
    if (page.readableCount > 0 && (isStartBroken || this.#isEndBroken))
      lost += missing(this.#expectedSeq, page.firstSeq);
    const end = damage.at(-1);
    const isEndBroken = end !== undefined && end.to > page.bytes;
    // Behind the last page nothing says what is missing but the damaged record itself; a write that broke off is no loss.
    if (isEndBroken && isLast) lost += end.namedCount;
    this.#isEndBroken = isEndBroken || (page.readableCount === 0 && this.#isEndBroken);
    return lost;
  }

  /** false when damage could not be copied aside. */
  async #keepDamage({ page, damage }: OpenedPage): Promise<boolean> {
    const { disk, log } = this.#runtime;
    let isCopied = true;
    for (const range of damage) isCopied = (await quarantine(disk, log, page, range)) && isCopied;
    const [first] = damage;
    if (first !== undefined) {
      const bytes = damage.reduce((sum, { from, to }) => sum + to - from, 0);
      const about = { page: page.path, damagedBytes: bytes, copy: `${page.path}.damaged.*` };
      log.warn('damage in a queue page passed over', about);
    }
    return isCopied;
  }
}
