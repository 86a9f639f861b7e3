/**
 * The first documents of a segment by a key whose blocks are known: the blocks that may hold the first keys are looked at
 * first, and those that cannot hold any that still enters are left out.
 */
import { assert } from '@shoal/core';
import { BLOCK_DOCS } from '../../format/reader/number-blocks.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { AllBits, BLOCK_WORDS, keepLive, listDocs, wordsOf } from '../../match/bits/doc-bits.ts';
import type { DocBits } from '../../match/weight/doc-iterator.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import type { KeyBlocks } from './key-blocks.ts';
import type { SegmentTop } from './top-sorted.ts';

/** Blocks that are looked at between two looks at the clock. */
const BLOCKS_A_SLICE = 32;

/** Room for one block; of all segments of a search. */
export interface SortScratch {
  readonly words: Uint32Array;
  readonly docs: Uint32Array;
  readonly noScores: Float32Array;
}

export function sortScratch(): SortScratch {
  return {
    words: new Uint32Array(BLOCK_WORDS),
    docs: new Uint32Array(BLOCK_DOCS),
    noScores: new Float32Array(BLOCK_DOCS),
  };
}

export interface BlockSort {
  readonly blocks: KeyBlocks;
  readonly top: SegmentTop;
  readonly pacer: WorkPacer;
  readonly scratch: SortScratch;
}

/** Offers to `top` what may enter it of the documents in `bits`, without counting them. */
export async function sortBlocks(view: SegmentView, bits: DocBits, sort: BlockSort): Promise<void> {
  const { blocks, top, pacer } = sort;
  const { docCount } = view.segment;
  const isWhole = bits instanceof AllBits && view.liveDocs === null;
  const blockCount = Math.ceil(docCount / BLOCK_DOCS);
  assert(blocks.order.length === blockCount, `${blocks.order.length} of ${blockCount} blocks are in order`);
  let seen = 0;
  for (const block of blocks.order) {
    if (pacer.isOver) return;
    const from = block * BLOCK_DOCS;
    if (!top.mayEnter(blocks.first(block), blocks.last(block), from)) continue;
    const to = Math.min(docCount, from + BLOCK_DOCS);
    if (isWhole) top.collectRun(from, to - from);
    else collectBits(view, bits, { from, to }, sort);
    if (++seen % BLOCKS_A_SLICE !== 0) continue;
    const pause = pacer.checkpoint();
    if (pause !== null) await pause;
  }
}

function collectBits(
  { liveDocs }: SegmentView,
  bits: DocBits,
  { from, to }: { readonly from: number; readonly to: number },
  { top, scratch }: BlockSort,
): void {
  const { words, docs, noScores } = scratch;
  const count = wordsOf(to - from);
  bits.fill(words, 0, from, to);
  if (liveDocs !== null) keepLive(words, count, from, liveDocs);
  const found = listDocs(words, 0, count, from, docs);
  if (found > 0) top.collect(docs, noScores, found);
}
