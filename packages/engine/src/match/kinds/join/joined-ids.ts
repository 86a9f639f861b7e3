/**
 * Ids of parents by which documents of one kind join those of another: of every document that matches on one side, over all
 * segments of the shard.
 */
import { circuitBreaking, type StepMeter, type Steps } from '@shoal/core';
import type { NestedScoreMode } from '@shoal/query';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type OrdinalColumn, type SegmentView } from '../../../format/reader/segment-reader.ts';
import type { Weight } from '../../weight/weight.ts';

/** Parents that one query may join by: each takes some 150 bytes. */
const IDS_MAX = 5_000_000;
/** Microseconds that a matching document costs, about. */
const DOC_UNITS = 0.1;

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

/** Ids by their bytes, one character each. */
export function* collectJoinedIds(
  views: readonly SegmentView[],
  { weight, ids, mode }: JoinSide,
  meter: StepMeter,
): Steps<ReadonlyMap<string, JoinedId>> {
  const found = new Map<string, JoinedId>();
  for (const view of views) {
    const column = view.segment.ordinalColumn(ids);
    const scorer = column === null ? null : weight.scorer(view);
    if (column === null || scorer === null) continue;
    for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
      if (view.liveDocs !== null && !isLive(view.liveDocs, doc)) continue;
      const id = idAt(column, doc);
      if (id !== null) add(found, id, mode === 'none' ? 0 : scorer.score(), mode);
      if (meter.isDue(DOC_UNITS)) yield;
    }
  }
  return found;
}

/** The id of a document, one character a byte; null where it has none. */
export function idAt(column: OrdinalColumn, doc: number): string | null {
  const at = column.start(doc);
  if (at === column.start(doc + 1)) return null;
  const bytes = column.value(column.ordinal(at));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function add(into: Map<string, JoinedId>, id: string, score: number, mode: NestedScoreMode): void {
  const known = into.get(id);
  if (known === undefined) {
    if (into.size === IDS_MAX) {
      const reason = `[request] Data too large, data for [<joined ids>] would be larger than the limit of [${IDS_MAX}] ids`;
      throw circuitBreaking(reason, { wanted: IDS_MAX + 1, limit: IDS_MAX });
    }
    into.set(id, { count: 1, score });
    return;
  }
  known.count++;
  if (mode === 'min') known.score = Math.min(known.score, score);
  else if (mode === 'max') known.score = Math.max(known.score, score);
  else known.score += score;
}

/** Score that the documents on the other side get. */
export function joinedScore({ count, score }: JoinedId, mode: NestedScoreMode): number {
  return Math.fround(mode === 'avg' ? score / count : score);
}
