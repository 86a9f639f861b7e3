/**
 * Ids of parents by which documents of one kind join those of another: of every document that matches on one side, over all
 * segments of the shard.
 */
import { circuitBreaking, type ShoalError, type StepMeter, type Steps } from '@shoal/core';
import type { NestedScoreMode } from '@shoal/query';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type OrdinalColumn, type SegmentView } from '../../../format/reader/segment-reader.ts';
import type { Weight } from '../../weight/weight.ts';

/** Parents that one query may join by: each takes some 150 bytes. */
const IDS_MAX = 5_000_000;
/** Microseconds that a matching document costs, about. */
const DOC_UNITS = 0.1;
/** Microseconds that an id costs which no document has, about. */
const ORDINAL_UNITS = 0.005;

export interface JoinedId {
  count: number;
  /** Sum, least or greatest score, as the mode says. */
  score: number;
}

export interface JoinSide {
  /** Documents that match, of the kind that is meant. */
  readonly weight: Weight;
  /** Path of the column of ids. */
  readonly ids: string;
  readonly mode: NestedScoreMode;
}

/** Ids that were found, as segments number them. */
export interface JoinedIds {
  readonly isEmpty: boolean;
  /** What was found of the ids of a segment, by their ordinals in its column; undefined: nothing. */
  of(view: SegmentView, column: OrdinalColumn): (ordinal: number) => JoinedId | undefined;
}

/** Finds the ids of the documents that match, over all segments. */
export function* collectJoinedIds(
  views: readonly SegmentView[],
  { weight, ids, mode }: JoinSide,
  meter: StepMeter,
): Steps<JoinedIds> {
  const parts: SegmentIds[] = [];
  let columnCount = 0;
  for (const view of views) {
    const column = view.segment.ordinalColumn(ids);
    const scorer = column === null ? null : weight.scorer(view);
    if (column !== null) columnCount++;
    if (column === null || scorer === null) continue;
    const part = new SegmentIds(column, mode);
    for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
      if (view.liveDocs !== null && !isLive(view.liveDocs, doc)) continue;
      const at = column.start(doc);
      if (at < column.start(doc + 1)) part.add(column.ordinal(at), mode === 'none' ? 0 : scorer.score());
      if (meter.isDue(DOC_UNITS)) yield;
    }
    if (part.size > 0) parts.push(part);
  }
  const [only] = parts;
  // In one segment an ordinal is an id.
  if (only !== undefined && columnCount === 1) return { isEmpty: false, of: () => (ordinal) => only.at(ordinal) };
  const found = new Map<string, JoinedId>();
  for (const part of parts) yield* part.addTo(found, meter);
  return {
    isEmpty: found.size === 0,
    of: (_view, column) => (ordinal) => found.get(idText(column, ordinal)),
  };
}

/** Ids that were found in one segment. */
class SegmentIds {
  size = 0;
  readonly #column: OrdinalColumn;
  readonly #mode: NestedScoreMode;
  /** By ordinal; 0: not found. */
  readonly #counts: Uint32Array;
  /** By ordinal; null where none are wanted. */
  readonly #scores: Float64Array | null;

  constructor(column: OrdinalColumn, mode: NestedScoreMode) {
    this.#column = column;
    this.#mode = mode;
    this.#counts = new Uint32Array(column.valueCount);
    this.#scores = mode === 'none' ? null : new Float64Array(column.valueCount);
  }

  add(ordinal: number, score: number): void {
    const count = this.#counts[ordinal] as number;
    if (count === 0 && ++this.size > IDS_MAX) throw tooManyIds();
    this.#counts[ordinal] = count + 1;
    const scores = this.#scores;
    if (scores !== null) {
      scores[ordinal] = count === 0 ? score : joined(scores[ordinal] as number, score, this.#mode);
    }
  }

  at(ordinal: number): JoinedId | undefined {
    const count = this.#counts[ordinal] as number;
    return count === 0 ? undefined : { count, score: this.#scores?.[ordinal] ?? 0 };
  }

  *addTo(into: Map<string, JoinedId>, meter: StepMeter): Steps<void> {
    for (let ordinal = 0; ordinal < this.#counts.length; ordinal++) {
      const own = this.at(ordinal);
      if (meter.isDue(own === undefined ? ORDINAL_UNITS : DOC_UNITS)) yield;
      if (own === undefined) continue;
      const id = idText(this.#column, ordinal);
      const known = into.get(id);
      if (known === undefined) {
        if (into.size === IDS_MAX) throw tooManyIds();
        into.set(id, own);
      } else {
        known.count += own.count;
        known.score = joined(known.score, own.score, this.#mode);
      }
    }
  }
}

/** Score of an id with one more score. */
function joined(known: number, score: number, mode: NestedScoreMode): number {
  if (mode === 'min') return Math.min(known, score);
  return mode === 'max' ? Math.max(known, score) : known + score;
}

function tooManyIds(): ShoalError {
  const reason = `[request] Data too large, data for [<joined ids>] would be larger than the limit of [${IDS_MAX}] ids`;
  return circuitBreaking(reason, { wanted: IDS_MAX + 1, limit: IDS_MAX });
}

function idText(column: OrdinalColumn, ordinal: number): string {
  const bytes = column.value(ordinal);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The id of a document, one character a byte; null where it has none. */
export function idAt(column: OrdinalColumn, doc: number): string | null {
  const at = column.start(doc);
  if (at === column.start(doc + 1)) return null;
  return idText(column, column.ordinal(at));
}

/** Score that the documents on the other side get. */
export function joinedScore({ count, score }: JoinedId, mode: NestedScoreMode): number {
  return Math.fround(mode === 'avg' ? score / count : score);
}
