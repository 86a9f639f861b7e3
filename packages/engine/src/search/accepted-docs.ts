/**
 * The documents of a segment that a query may find at all, as bits in kernel memory: live, in every filter, in no exclusion.
 */
import { assert } from '@shoal/core';
import type { KernelMemory } from '../kernels/kernel-memory.ts';
import type { SegmentView } from '../segment/segment-reader.ts';
import { NO_MORE_DOCS } from '../segment/segment-reader.ts';
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
  const length = ((view.segment.docCount + 7) >>> 3) + PADDING_BYTES;
  const address = memory.allocate(length);
  if (address === 0) return null;
  const bits = memory.bytesAt(address, length);
  if (view.liveDocs === null) bits.fill(0xff);
  else {
    bits.set(view.liveDocs);
    bits.fill(0, view.liveDocs.length);
  }
  const own = new Uint8Array(length);
  for (const [weights, isKept] of [
    [filter, true],
    [excluded, false],
  ] as const) {
    for (const weight of weights) {
      const scorer = weight.scorer(view);
      if (scorer === null && !isKept) continue;
      own.fill(0);
      if (scorer !== null) await mark(scorer, own, pacer);
      // A byte of neither: bits behind the last document are never looked at.
      for (let i = 0; i < length; i++)
        bits[i] = (bits[i] as number) & (isKept ? (own[i] as number) : ~(own[i] as number));
    }
  }
  return { address, release: () => memory.release(address) };
}

/** Sets the bit of each of the scorer's documents. */
async function mark(scorer: Scorer, bits: Uint8Array, pacer: WorkPacer): Promise<void> {
  assert(scorer.doc === -1, 'a scorer that has started already');
  const docs = new Uint32Array(BATCH_SIZE);
  const scores = new Float32Array(BATCH_SIZE);
  while (!pacer.isOver) {
    const count = scorer.nextBatch ? scorer.nextBatch(docs, scores, false) : nextOnes(scorer, docs);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      bits[doc >>> 3] = (bits[doc >>> 3] as number) | (1 << (doc & 7));
    }
    if (count === 0) return;
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
