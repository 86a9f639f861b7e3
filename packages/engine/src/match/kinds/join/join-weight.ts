/**
 * Documents of one side of a join whose id is among those of the other side.
 */
import { StepMeter, type Steps } from '@shoal/core';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { DocBitset } from '../../bits/doc-bitset.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { type DocsMaker, docsInSteps } from '../../context/prepared-docs.ts';
import { KeptScores } from '../../scorers/kept-scores.ts';
import { type Explanation, explained, noMatch } from '../../weight/explanation.ts';
import type { Scorer } from '../../weight/scorer.ts';
import type { Weight } from '../../weight/weight.ts';
import { collectJoinedIds, type JoinedId, type JoinedIds, type JoinSide, joinedScore } from './joined-ids.ts';

/** Microseconds that a document costs, about. */
const DOC_UNITS = 0.2;

export interface Join {
  /** Where ids come from. */
  readonly from: JoinSide;
  /** Documents that may match, of the kinds that are meant; by the same column of ids. */
  readonly to: Weight;
  /** Ids that count, by how many documents have them. */
  readonly accepts: (joined: JoinedId) => boolean;
  readonly boost: number;
  readonly text: string;
  /** Text of the query before the kinds of the documents are looked at. */
  readonly plainText: string;
}

interface SegmentMatches {
  readonly docs: DocBitset;
  /** By document; empty where all have one score. */
  readonly scores: ReadonlyMap<number, number>;
}

/** Finds its documents before the query runs, in steps; what was not prepared is found when it is asked for. */
export function joinWeight(ctx: CompileContext, join: Join): Weight {
  const { from, boost, text, plainText } = join;
  const isScored = from.mode !== 'none';
  const constant = Math.fround(boost);
  const matches = new Map<SegmentView, SegmentMatches>();
  let ids: JoinedIds | null = null;
  const find = function* (view: SegmentView): Steps<DocsMaker> {
    const meter = new StepMeter();
    ids ??= yield* collectJoinedIds(ctx.searcher.views, from, meter);
    const found = yield* matchesOf(view, join, ids, meter);
    matches.set(view, found);
    return () => found.docs.iterator();
  };
  const docs = docsInSteps(ctx.prepared, find);
  const scorer = (view: SegmentView): Scorer | null => {
    const found = docs(view);
    return found && new KeptScores(found, isScored ? (matches.get(view)?.scores ?? null) : null, constant);
  };
  return {
    text,
    plainText,
    ...(!isScored && { constantScore: constant }),
    scorer,
    explain: (view, doc) => explainJoin(scorer(view), doc, joinValue(view, join.from.ids, doc)),
    count: () => -1,
  };
}

function* matchesOf(
  view: SegmentView,
  { from, to, accepts }: Join,
  ids: JoinedIds,
  meter: StepMeter,
): Steps<SegmentMatches> {
  const docs = new DocBitset(view.segment.docCount);
  const scores = new Map<number, number>();
  const column = view.segment.ordinalColumn(from.ids);
  const candidates = column === null || ids.isEmpty ? null : to.scorer(view);
  if (column === null || candidates === null) return { docs, scores };
  const joinedAt = ids.of(view, column);
  for (let doc = candidates.next(); doc !== NO_MORE_DOCS; doc = candidates.next()) {
    const at = column.start(doc);
    const joined = at < column.start(doc + 1) ? joinedAt(column.ordinal(at)) : undefined;
    if (joined !== undefined && accepts(joined)) {
      docs.add(doc);
      if (from.mode !== 'none') scores.set(doc, joinedScore(joined, from.mode));
    }
    if (meter.isDue(DOC_UNITS)) yield;
  }
  return { docs, scores };
}

/** Id by which a document is joined. */
function joinValue({ segment }: SegmentView, ids: string, doc: number): string {
  const column = segment.ordinalColumn(ids);
  if (column === null || column.start(doc) === column.start(doc + 1)) return '';
  return Buffer.from(column.value(column.ordinal(column.start(doc)))).toString('utf8');
}

function explainJoin(scorer: Scorer | null, doc: number, value: string): Explanation {
  if (scorer?.advance(doc) !== doc) return noMatch(value === '' ? 'Not a match' : `Not a match, join value ${value}`);
  return explained(scorer.score(), `Score based on join value ${value}`);
}
