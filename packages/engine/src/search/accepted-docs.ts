/**
 * The documents of a segment that a query may find at all, as bits in kernel memory: live, in every filter, in no exclusion.
 */
import { assert } from '@shoal/core';
import type { KernelMemory } from '../kernels/kernel-memory.ts';
import type { SegmentView } from '../segment/segment-reader.ts';
import { NO_MORE_DOCS } from '../segment/segment-reader.ts';
import { type DocBits, wordsOf } from './doc-bits.ts';
import { STRETCH_SIZE } from './match-walk.ts';
import { BATCH_SIZE, type Scorer, type Weight } from './scorer.ts';
import type { WorkPacer } from './work-pacer.ts';

/** Kernels read the bits of sixteen documents at once. */
const PADDING_BYTES = 16;
/** Documents of slow scorers between two looks at the clock. */
const ONE_BY_ONE_BATCH = 512;

export interface AcceptedDocs {
  /** 0: all documents. */
  readonly address: number;
  release(): void;
}

const ALL_DOCS: AcceptedDocs = { address: 0, release: () => {} };

/** null when there is no room. Incomplete when the pacer is over: nothing may be concluded then. */
export function acceptedDocs(
  memory: KernelMemory,
  view: SegmentView,
  clauses: { readonly filter: readonly Weight[]; readonly excluded: readonly Weight[] },
  pacer: WorkPacer,
): AcceptedDocs | null | Promise<AcceptedDocs | null> {
  const isWhole = view.liveDocs === null && clauses.filter.length + clauses.excluded.length === 0;
  return isWhole ? ALL_DOCS : markAccepted(memory, view, clauses, pacer);
}

async function markAccepted(
  memory: KernelMemory,
  view: SegmentView,
  clauses: { readonly filter: readonly Weight[]; readonly excluded: readonly Weight[] },
  pacer: WorkPacer,
): Promise<AcceptedDocs | null> {
  const { filter, excluded } = clauses;
  const { docCount } = view.segment;
  const length = ((docCount + 7) >>> 3) + PADDING_BYTES;
  const address = memory.allocate(length);
  if (address === 0) return null;
  const bits = memory.bytesAt(address, length);
  const words = new Uint32Array(bits.buffer, address, wordsOf(docCount));
  if (view.liveDocs === null) bits.fill(0xff);
  else {
    bits.set(view.liveDocs);
    bits.fill(0, view.liveDocs.length);
  }
  const own = new Uint32Array(words.length);
  for (const [weights, isKept] of [
    [filter, true],
    [excluded, false],
  ] as const) {
    for (const weight of weights) {
      const scorer = weight.scorer(view);
      if (scorer === null && !isKept) continue;
      own.fill(0);
      if (scorer !== null) await mark(scorer, own, docCount, pacer);
      // Bits behind the last document are never looked at.
      if (isKept) for (let i = 0; i < own.length; i++) words[i] = (words[i] as number) & (own[i] as number);
      else for (let i = 0; i < own.length; i++) words[i] = (words[i] as number) & ~(own[i] as number);
    }
  }
  return { address, release: () => memory.release(address) };
}

/** Sets the bit of each of the scorer's documents. */
async function mark(scorer: Scorer, bits: Uint32Array, docCount: number, pacer: WorkPacer): Promise<void> {
  assert(scorer.doc === -1, 'a scorer that has started already');
  if (scorer.bits) return markBits(scorer.bits, bits, docCount, pacer);
  const docs = new Uint32Array(BATCH_SIZE);
  const scores = new Float32Array(BATCH_SIZE);
  while (!pacer.isOver) {
    const count = scorer.nextBatch ? scorer.nextBatch(docs, scores, false) : nextOnes(scorer, docs);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
    }
    if (count === 0) return;
    const pause = pacer.checkpoint();
    if (pause !== null) await pause;
  }
}

async function markBits(from: DocBits, bits: Uint32Array, docCount: number, pacer: WorkPacer): Promise<void> {
  for (let doc = 0; doc < docCount && !pacer.isOver; doc += STRETCH_SIZE) {
    from.fill(bits, doc >>> 5, doc, Math.min(docCount, doc + STRETCH_SIZE));
    const pause = pacer.checkpoint();
    if (pause !== null) await pause;
  }
}

function nextOnes(scorer: Scorer, docs: Uint32Array): number {
  let count = 0;
  let doc = scorer.doc === NO_MORE_DOCS ? NO_MORE_DOCS : scorer.next();
  while (doc !== NO_MORE_DOCS) {
    docs[count++] = doc;
    if (count === ONE_BY_ONE_BATCH) break;
    doc = scorer.next();
  }
  return count;
}
