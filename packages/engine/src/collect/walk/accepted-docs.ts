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
  /** 0: all documents. */
  readonly address: number;
  /** Roughly how many they are, at most. */
  readonly cost: number;
  release(): void;
}

const ALL_DOCS: AcceptedDocs = { address: 0, cost: Number.POSITIVE_INFINITY, release: () => {} };

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
  assert(address % 4 === 0, `bits of ${docCount} documents at ${address}`);
  const words = new Uint32Array(bits.buffer, address, wordsOf(docCount));
  const isWhole = view.liveDocs === null;
  if (view.liveDocs !== null) {
    assert(view.liveDocs.length <= length, `${view.liveDocs.length} bytes of live docs for ${docCount} documents`);
    bits.set(view.liveDocs);
    bits.fill(0, view.liveDocs.length);
  } else if (filter.length === 0) bits.fill(0xff);
  const marks = new Marks(words, docCount, pacer);
  let cost = view.liveCount;
  for (const [i, weight] of filter.entries()) {
    const scorer = weight.scorer(view);
    cost = Math.min(cost, scorer?.cost ?? 0);
    // Where all documents are live the first filter says all that there is to say.
    await (isWhole && i === 0 ? marks.begin(scorer) : marks.keep(scorer));
  }
  for (const weight of excluded) await marks.remove(weight.scorer(view));
  return { address, cost, release: () => memory.release(address) };
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

  /** The documents of the scorer, whatever stood in `words` before; null: none. */
  begin(scorer: Scorer | null): Promise<void> | void {
    const { words, pacer } = this;
    const bits = scorer?.bits ?? null;
    if (bits !== null) return this.inStretches((from, to) => bits.fill(words, from >>> 5, from, to));
    words.fill(0);
    if (scorer !== null) return markOneByOne(scorer, words, pacer);
  }

  /** Only documents of the scorer stay; null: none. */
  keep(scorer: Scorer | null): Promise<void> | void {
    const { words } = this;
    const bits = scorer?.bits ?? null;
    if (scorer === null) words.fill(0);
    else if (bits?.narrow) return this.inStretches((from, to) => bits.narrow?.(words, from >>> 5, from, to));
    else return this.cut(scorer, (at, count) => keepCommon(words, at, this.scratch, count));
  }

  /** Documents of the scorer go. */
  remove(scorer: Scorer | null): Promise<void> | void {
    if (scorer !== null) return this.cut(scorer, (at, count) => removeCommon(this.words, at, this.scratch, count));
  }

  /** `apply`: to `count` words from `at` on, with those of the scorer in `scratch`. */
  private async cut(scorer: Scorer, apply: (at: number, count: number) => void): Promise<void> {
    const { docCount, pacer } = this;
    const { bits } = scorer;
    if (!bits) {
      this.scratch = new Uint32Array(this.words.length);
      await markOneByOne(scorer, this.scratch, pacer);
      apply(0, this.words.length);
      return;
    }
    const stretch = wordsOf(Math.min(docCount, STRETCH_SIZE));
    if (this.scratch.length < stretch) this.scratch = new Uint32Array(stretch);
    await this.inStretches((from, to) => {
      bits.fill(this.scratch, 0, from, to);
      apply(from >>> 5, wordsOf(to - from));
    });
  }

  private async inStretches(mark: (from: number, to: number) => void): Promise<void> {
    const { docCount, pacer } = this;
    for (let doc = 0; doc < docCount && !pacer.isOver; doc += STRETCH_SIZE) {
      mark(doc, Math.min(docCount, doc + STRETCH_SIZE));
      const pause = pacer.checkpoint();
      if (pause !== null) await pause;
    }
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
