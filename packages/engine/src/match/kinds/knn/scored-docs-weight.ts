/**
 * Documents that are found before the query runs, each with a score of its own.
 */
import { assert, type Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { DocBitset } from '../../bits/doc-bitset.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { type DocsMaker, docsInSteps } from '../../context/prepared-docs.ts';
import { KeptScores } from '../../scorers/kept-scores.ts';
import { explained, noMatch } from '../../weight/explanation.ts';
import type { Scorer } from '../../weight/scorer.ts';
import type { Weight } from '../../weight/weight.ts';

/** Scores by document of a segment. */
export type ScoredDocs = ReadonlyMap<number, number>;

export interface DocFinder {
  /** Documents of a segment in steps. Asked once for each segment. */
  readonly find: (view: SegmentView) => Steps<ScoredDocs>;
  readonly boost: number;
  readonly text: string;
}

/** What was not prepared is found when it is asked for. */
export function scoredDocsWeight(ctx: CompileContext, { find, boost, text }: DocFinder): Weight {
  const scores = new Map<SegmentView, ScoredDocs>();
  const prepare = function* (view: SegmentView): Steps<DocsMaker> {
    const found = yield* find(view);
    assert(found.size <= view.segment.docCount, `${found.size} of ${view.segment.docCount} documents`);
    scores.set(view, new Map([...found].map(([doc, score]) => [doc, Math.fround(score * boost)])));
    if (found.size === 0) return () => null;
    const docs = new DocBitset(view.segment.docCount);
    for (const doc of found.keys()) docs.add(doc);
    return () => docs.iterator();
  };
  const docs = docsInSteps(ctx.prepared, prepare);
  const scorer = (view: SegmentView): Scorer | null => {
    const found = docs(view);
    return found && new KeptScores(found, scores.get(view) ?? null, 0);
  };
  return {
    text,
    scorer,
    explain: (view, doc) => {
      const found = scorer(view);
      if (found?.advance(doc) !== doc) return noMatch('not in top k documents');
      return explained(found.score(), 'within top k documents');
    },
    count: () => -1,
  };
}
