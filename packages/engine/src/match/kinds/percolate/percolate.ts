/**
 * percolate on a shard.
 */
import { StepMeter, type Steps } from '@shoal/core';
import type { PercolateQuery } from '@shoal/query';
import { PERCOLATOR_MARK } from '../../../field-types/percolator/percolator.ts';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { DocBitset } from '../../bits/doc-bitset.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../../context/compile-context.ts';
import { type DocsMaker, docsInSteps } from '../../context/prepared-docs.ts';
import { refuseExpensive } from '../../context/refuse-expensive.ts';
import { KeptScores } from '../../scorers/kept-scores.ts';
import { docsOfTerms } from '../../term-sets/multi-term-docs.ts';
import { explained, noMatch } from '../../weight/explanation.ts';
import type { Scorer } from '../../weight/scorer.ts';
import type { Weight } from '../../weight/weight.ts';
import { type CompileInner, markNothing, type QueryBehaviour } from '../query-behaviour.ts';
import { candidateQueries } from './candidate-queries.ts';
import { Percolation } from './percolation.ts';

/** Microseconds that it takes to read and run a query, about. */
const QUERY_UNITS = 30;
const TEXT = 'PercolateQuery';

interface Found {
  readonly docs: DocBitset;
  readonly scores: ReadonlyMap<number, number>;
}

/** Runs all queries before the search goes on, in steps; what was not prepared is run when it is asked for. */
function compilePercolate(
  ctx: CompileContext,
  query: PercolateQuery,
  { isScored }: ClauseUse,
  compileInner: CompileInner,
): Weight {
  refuseExpensive(ctx, 'percolate');
  const percolation = new Percolation(ctx, query, compileInner);
  const found = new Map<SegmentView, Found>();
  const find = function* (view: SegmentView): Steps<DocsMaker> {
    const matches = yield* matchesOf(view, percolation, isScored);
    found.set(view, matches);
    return () => matches.docs.iterator();
  };
  const docs = docsInSteps(ctx.prepared, find);
  const scorer = (view: SegmentView): Scorer | null => {
    const iterator = docs(view);
    return iterator && new KeptScores(iterator, found.get(view)?.scores ?? null, 0);
  };
  return {
    text: TEXT,
    scorer,
    explain: (view, doc) => {
      const own = scorer(view);
      return own?.advance(doc) === doc ? explained(own.score(), TEXT) : noMatch(`${TEXT} doesn't match id ${doc}`);
    },
    count: () => -1,
  };
}

/** Matches with the best scores of their documents, which no boost of the query changes. */
function* matchesOf(view: SegmentView, percolation: Percolation, isScored: boolean): Steps<Found> {
  const meter = new StepMeter();
  const docs = new DocBitset(view.segment.docCount);
  const scores = new Map<number, number>();
  const marked = docsOfTerms(view, percolation.field.path, [utf8Bytes(PERCOLATOR_MARK)]);
  if (marked === null) return { docs, scores };
  const candidates = yield* candidateQueries(view.segment, percolation, marked, meter);
  for (let doc = candidates.nextMember(0); doc !== NO_MORE_DOCS; doc = candidates.nextMember(doc + 1)) {
    if (view.liveDocs !== null && !isLive(view.liveDocs, doc)) continue;
    const matched = percolation.matches(view.segment, doc, isScored);
    if (matched !== null) {
      docs.add(doc);
      if (isScored) scores.set(doc, matched.score);
    }
    if (meter.isDue(QUERY_UNITS)) yield;
  }
  return { docs, scores };
}

export const percolate: QueryBehaviour<PercolateQuery> = {
  compile: compilePercolate,
  describe: ({ field }) => ({ type: TEXT, text: `${TEXT}(${field})` }),
  mark: markNothing,
};
