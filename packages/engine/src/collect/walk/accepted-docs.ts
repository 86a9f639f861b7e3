/**
 * The documents of a segment that a query may find at all, as bits in kernel memory: live, in every filter, in no exclusion.
 */
import { assert } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { wordsOf } from '../../match/bits/doc-bits.ts';
import { BATCH_SIZE, type Scorer } from '../../match/weight/scorer.ts';
import type { Weight } from '../../match/weight/weight.ts';
import type { KernelMemory } from '../../memory/kernel-memory.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import { batchesOf } from './batch-source.ts';
import { STRETCH_SIZE } from './match-walk.ts';

/** Kernels read the bits of sixteen documents at once. */
const PADDING_BYTES = 16;
export interface AcceptedDocs {
  /** 0: all documents, or none. */
  readonly address: number;
  /** There are none. */
  readonly isEmpty: boolean;
  /** Roughly how many they are, at most. */
  readonly cost: number;
  release(): void;
}

const ALL_DOCS: AcceptedDocs = {
  address: 0,
  isEmpty: false,
  cost: Number.POSITIVE_INFINITY,
  release: () => {},
};
const NO_DOCS: AcceptedDocs = { address: 0, isEmpty: true, cost: 0, release: () => {} };

/** null when there is no room. Incomplete when the pacer is over: nothing may be concluded then. */
export function acceptedDocs(
  memory: KernelMemory,
  view: SegmentView,
  clauses: { readonly filter: readonly Weight[]; readonly excluded: readonly Weight[] },
  pacer: WorkPacer,
): AcceptedDocs | null | Promise<AcceptedDocs | null> {
  const { filter, excluded } = clauses;
  if (view.liveDocs === null && filter.length + excluded.length === 0) return ALL_DOCS;
  const filters: Scorer[] = [];
  for (const weight of filter) {
    const scorer = weight.scorer(view);
    if (scorer === null) return NO_DOCS;
    filters.push(scorer);
  }
  return markAccepted(memory, view, { filters, excluded }, pacer);
}

async function markAccepted(
  memory: KernelMemory,
  view: SegmentView,
  { filters, excluded }: { readonly filters: readonly Scorer[]; readonly excluded: readonly Weight[] },
  pacer: WorkPacer,
): Promise<AcceptedDocs | null> {
  const { docCount } = view.segment;
  const length = ((docCount + 7) >>> 3) + PADDING_BYTES;
  const address = memory.allocate(length);
  if (address === 0) return null;
  const bits = memory.bytesAt(address, length);
  assert(address % 4 === 0, `bits of ${docCount} documents at ${address}`);
  const words = new Uint32Array(bits.buffer, address, wordsOf(docCount));
  const isWhole = view.liveDocs === null;
  if (view.liveDocs !== null) {
    assert(view.liveDocs.length <= length, `${view.liveDocs.length} bytes of live docs for ${docCount} documents`);
    bits.set(view.liveDocs);
    bits.fill(0, view.liveDocs.length);
  } else if (filters.length === 0) bits.fill(0xff);
  const marks = new Marks(words, docCount, pacer);
  let cost = view.liveCount;
  for (const [i, scorer] of filters.entries()) {
    cost = Math.min(cost, scorer.cost);
    // Where all documents are live the first filter says all that there is to say.
    const marked = isWhole && i === 0 ? marks.begin(scorer) : marks.keep(scorer);
    // Most are marked at once, and must not wait for another turn.
    if (marked !== undefined) await marked;
  }
  for (const weight of excluded) {
    const marked = marks.remove(weight.scorer(view));
    if (marked !== undefined) await marked;
  }
  return { address, isEmpty: false, cost, release: () => memory.release(address) };
}

/** Cuts the documents in `words` down. Bits behind the last document are never looked at. */
class Marks {
  private readonly words: Uint32Array;
  private readonly docCount: number;
  private readonly pacer: WorkPacer;
  /** Bits of the scorer that is applied: one range, or all documents of a scorer without bits. */
  private scratch = new Uint32Array(0);

  constructor(words: Uint32Array, docCount: number, pacer: WorkPacer) {
    this.words = words;
    this.docCount = docCount;
    this.pacer = pacer;
  }

  /** The documents of the scorer, whatever stood in `words` before. */
  begin(scorer: Scorer): Promise<void> | undefined {
    const { words, pacer } = this;
    const bits = scorer.bits ?? null;
    if (bits !== null) return this.inStretches((from, to) => bits.fill(words, from >>> 5, from, to));
    words.fill(0);
    return markOneByOne(scorer, words, pacer);
  }

  /** Only documents of the scorer stay. */
  keep(scorer: Scorer): Promise<void> | undefined {
    const { words } = this;
    const bits = scorer.bits ?? null;
    if (bits?.narrow) return this.inStretches((from, to) => bits.narrow?.(words, from >>> 5, from, to));
    return this.cut(scorer, (at, count) => keepCommon(words, at, this.scratch, count));
  }

  /** Documents of the scorer go. */
  remove(scorer: Scorer | null): Promise<void> | undefined {
    if (scorer === null) return undefined;
    return this.cut(scorer, (at, count) => removeCommon(this.words, at, this.scratch, count));
  }

  /** `apply`: to `count` words from `at` on, with those of the scorer in `scratch`. */
  private cut(scorer: Scorer, apply: (at: number, count: number) => void): Promise<void> | undefined {
    const { docCount, pacer } = this;
    const { bits } = scorer;
    if (!bits) {
      this.scratch = new Uint32Array(this.words.length);
      return markOneByOne(scorer, this.scratch, pacer).then(() => apply(0, this.words.length));
    }
    const stretch = wordsOf(Math.min(docCount, STRETCH_SIZE));
    if (this.scratch.length < stretch) this.scratch = new Uint32Array(stretch);
    return this.inStretches((from, to) => {
      bits.fill(this.scratch, 0, from, to);
      apply(from >>> 5, wordsOf(to - from));
    });
  }

  /** @param first where to begin. @returns a promise where others had to run in between, else undefined */
  private inStretches(mark: (from: number, to: number) => void, first = 0): Promise<void> | undefined {
    const { docCount, pacer } = this;
    for (let doc = first; doc < docCount && !pacer.isOver; doc += STRETCH_SIZE) {
      mark(doc, Math.min(docCount, doc + STRETCH_SIZE));
      const pause = pacer.checkpoint();
      if (pause !== null) return pause.then(() => this.inStretches(mark, doc + STRETCH_SIZE));
    }
    return undefined;
  }
}

function keepCommon(words: Uint32Array, at: number, other: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) words[at + i] = (words[at + i] as number) & (other[i] as number);
}

function removeCommon(words: Uint32Array, at: number, other: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) words[at + i] = (words[at + i] as number) & ~(other[i] as number);
}

/** Sets the bit of each of the scorer's documents. */
async function markOneByOne(scorer: Scorer, bits: Uint32Array, pacer: WorkPacer): Promise<void> {
  const source = batchesOf(scorer, pacer);
  const docs = new Uint32Array(BATCH_SIZE);
  const scores = new Float32Array(BATCH_SIZE);
  while (!pacer.isOver) {
    const count = source.nextBatch(docs, scores, false);
    const last = count === 0 ? 0 : (docs[count - 1] as number);
    assert(last < bits.length * 32, `document ${last} of ${bits.length * 32}`);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
    }
    if (count === 0 && source.isDone !== false) return;
    const pause = pacer.checkpoint();
    if (pause !== null) await pause;
  }
}
