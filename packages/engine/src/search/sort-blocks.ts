/**
 * The first documents of a segment by a key whose blocks are known: the blocks that may hold the first keys are looked at
 * first, and those that cannot hold any that still enters are left out.
 */
import { BLOCK_DOCS } from '../segment/number-blocks.ts';
import type { SegmentView } from '../segment/segment-reader.ts';
import { BLOCK_WORDS, type DocBits, keepLive, listDocs, wordsOf } from './doc-bits.ts';
import type { KeyBlocks } from './key-blocks.ts';
import type { SegmentTop } from './top-sorted.ts';
import type { WorkPacer } from './work-pacer.ts';

/** Blocks that are looked at between two looks at the clock. */
const BLOCKS_A_SLICE = 32;

/** Offers to `top` what may enter it of the documents in `bits`, without counting them. */
export async function sortBlocks(
  { segment, liveDocs }: SegmentView,
  bits: DocBits,
  blocks: KeyBlocks,
  top: SegmentTop,
  pacer: WorkPacer,
): Promise<void> {
  const words = new Uint32Array(BLOCK_WORDS);
  const docs = new Uint32Array(BLOCK_DOCS);
  const noScores = new Float32Array(BLOCK_DOCS);
  let seen = 0;
  for (const block of blocks.order) {
    if (pacer.isOver) return;
    const from = block * BLOCK_DOCS;
    if (!top.mayEnter(blocks.first(block), blocks.last(block), from)) continue;
    const to = Math.min(segment.docCount, from + BLOCK_DOCS);
    const count = wordsOf(to - from);
    bits.fill(words, 0, from, to);
    if (liveDocs !== null) keepLive(words, count, from, liveDocs);
    const found = listDocs(words, 0, count, from, docs);
    if (found > 0) top.collect(docs, noScores, found);
    if (++seen % BLOCKS_A_SLICE !== 0) continue;
    const pause = pacer.checkpoint();
    if (pause !== null) await pause;
  }
}
