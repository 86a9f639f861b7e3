/**
 * The matches of a query in parts of segments, for threads that share a search: each walks the parts that it claimed, in ascending
 * order, and passes over those of others.
 *
 * Matches that come as bits, and those of a query that matches all, are found from anywhere. Others come from one source a segment, which
 * is read from its start: a thread reads past what others collect, which is cheap beside collecting it.
 */
import { assert, firstAtLeast } from '@shoal/core';
import { BLOCK_DOCS } from '../../format/reader/number-blocks.ts';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import { BATCH_SIZE, type Scorer } from '../../match/weight/scorer.ts';
import type { Weight } from '../../match/weight/weight.ts';
import { type BatchSource, batchesOf } from './batch-source.ts';
import { openMatches } from './kernel-matches.ts';
import type { DocRange, HitCollector, MatchWalk, StretchCollector } from './match-walk.ts';

/** Documents of a part, of which a segment's last one may have fewer. */
export const PART_DOCS_MIN: number = 64 * BLOCK_DOCS;
/** Parts of a shard that are wanted at most: more of them would be divided more evenly, and cost more to add up. */
const PARTS_WANTED = 32;

/** Documents of one segment that are collected by one thread. */
export interface DocPart extends DocRange {
  /** Position of the segment among the searcher's. */
  readonly at: number;
}

/** All documents of a searcher in parts, in their order. @param docsMin documents of a part at least: whole blocks of them */
export function partsOf({ views, maxDoc }: Searcher, docsMin: number): readonly DocPart[] {
  assert(docsMin > 0 && docsMin % BLOCK_DOCS === 0, `parts of ${docsMin} documents`);
  const size = Math.max(docsMin, Math.ceil(maxDoc / PARTS_WANTED / BLOCK_DOCS) * BLOCK_DOCS);
  const parts: DocPart[] = [];
  for (const [at, { segment }] of views.entries()) {
    const { docCount } = segment;
    for (let from = 0; from < docCount; from += size) parts.push({ at, from, to: Math.min(docCount, from + size) });
  }
  return parts;
}

type PartCollector = HitCollector & StretchCollector;

/** Scores that nobody reads. */
const NO_SCORES = new Float32Array(BATCH_SIZE);

export class PartWalk {
  private readonly weight: Weight;
  private readonly walk: MatchWalk;
  private view: SegmentView | null = null;
  private scorer: Scorer | null = null;
  private source: PassingSource | null = null;

  /** @param walk counts the matches; without limits, and without scores */
  constructor(weight: Weight, walk: MatchWalk) {
    this.weight = weight;
    this.walk = walk;
  }

  /** Parts come in ascending order. To be closed at the end. */
  async run(view: SegmentView, part: DocPart, collector: PartCollector): Promise<void> {
    if (this.view !== view) await this.open(view);
    const { scorer, source, walk } = this;
    if (source !== null) await this.runSource(source, part, collector);
    else if (scorer === null) return;
    else if (walk.canStretch(view, scorer)) await walk.runAll(view, collector, part);
    else if (scorer.bits) await walk.runBits(view, scorer.bits, collector, { range: part });
  }

  private async open(view: SegmentView): Promise<void> {
    this.close();
    this.view = view;
    const { weight, walk } = this;
    const scorer = weight.scorer(view);
    this.scorer = scorer;
    if (scorer === null || scorer.bits) return;
    const matches = await openMatches(view, weight, walk.pacer, false);
    this.source = new PassingSource(view, matches ?? batchesOf(scorer, walk.pacer), () => matches?.close());
  }

  private async runSource(source: PassingSource, part: DocPart, collector: PartCollector): Promise<void> {
    const { walk } = this;
    for (let isBehind = false; !isBehind && !walk.isDone; ) {
      isBehind = source.advance(part);
      const { docs } = source;
      walk.total += docs.length;
      if (docs.length > 0) {
        collector.collect(docs, NO_SCORES, docs.length);
        if (collector.owed) await walk.settle(collector);
      }
      const pause = walk.pacer.checkpoint();
      if (pause !== null) await pause;
      walk.isTimedOut = walk.pacer.isOver;
    }
  }

  close(): void {
    this.source?.close();
    this.source = null;
    this.view = null;
  }
}

/** Live matches of one segment from batches that begin and end anywhere. */
class PassingSource {
  readonly close: () => void;
  private readonly liveDocs: Uint8Array | null;
  private readonly batches: BatchSource;
  private readonly batch = new Uint32Array(BATCH_SIZE);
  private readonly scores = new Float32Array(BATCH_SIZE);
  private count = 0;
  private at = 0;
  private isDone = false;
  /** Found by the last `advance`: good until the next. */
  docs: Uint32Array = this.batch.subarray(0, 0);

  constructor({ liveDocs }: SegmentView, batches: BatchSource, close: () => void) {
    this.liveDocs = liveDocs;
    this.batches = batches;
    this.close = close;
  }

  /** Takes what the next batch, or what is left of the last one, has of the part. True: the part has no more. */
  advance({ from, to }: DocRange): boolean {
    if (this.at === this.count) this.read();
    const { batch, count } = this;
    const start = firstAtLeast(batch, from, this.at, count);
    const end = firstAtLeast(batch, to, start, count);
    this.docs = batch.subarray(start, end);
    this.at = end;
    return end < count || this.isDone;
  }

  private read(): void {
    if (this.isDone) return;
    const found = this.batches.nextBatch(this.batch, this.scores, false);
    this.isDone = found === 0 && this.batches.isDone !== false;
    this.at = 0;
    this.count = this.liveDocs === null ? found : keepLive(this.batch, found, this.liveDocs);
  }
}

function keepLive(docs: Uint32Array, found: number, liveDocs: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < found; i++) {
    const doc = docs[i] as number;
    docs[count] = doc;
    count += ((liveDocs[doc >>> 3] as number) >>> (doc & 7)) & 1;
  }
  return count;
}
