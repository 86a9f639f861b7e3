/**
 * What an earlier process left of a persisted queue, made ready to go on.
 */
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { readCheckpoint } from './checkpoint.ts';
import { createPage, listPages, openPage, type QueuePage } from './page-files.ts';

export interface RecoveredPages {
  readonly pages: QueuePage[];
  readonly ackedSeq: number;
  readonly unfinishedCount: number;
}

/** Opens what is there, cuts damage, removes what is done, and makes the first page of a new queue. */
export async function recoverPages(runtime: Runtime, directory: string): Promise<RecoveredPages> {
  const { disk, log } = runtime;
  const { checkpoint, isDamaged } = await readCheckpoint(disk, directory);
  if (isDamaged) log.warn('damaged queue checkpoint set aside: events may come again', { directory });
  let { ackedSeq } = checkpoint;
  const pages: QueuePage[] = [];
  let unfinishedCount = 0;
  let lastNumber = checkpoint.lastPage;
  for (const number of await listPages(disk, directory)) {
    const opened = await openPage(disk, { directory, number, ackedSeq, log });
    lastNumber = Math.max(lastNumber, number);
    if (opened.unfinishedCount === 0) {
      await opened.page.file.close();
      await disk.unlink(opened.page.path);
      ackedSeq = Math.max(ackedSeq, opened.page.nextSeq);
      continue;
    }
    const last = pages.at(-1);
    assert(
      last === undefined || opened.page.firstSeq >= last.nextSeq,
      `page ${number} begins at ${opened.page.firstSeq}, page ${last?.number} before it ends at ${last?.nextSeq}`,
    );
    pages.push(opened.page);
    unfinishedCount += opened.unfinishedCount;
  }
  const nextSeq = Math.max(ackedSeq, ...pages.map((page) => page.nextSeq));
  // Never appended to: what follows the last whole record of an old page may be in any state.
  pages.push(await createPage(disk, directory, lastNumber + 1, nextSeq));
  return { pages, ackedSeq, unfinishedCount };
}
