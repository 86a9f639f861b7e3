/**
 * The query `script_score` on a shard: scores of a query that a script makes anew.
 */
import { illegalArgument, javaDoubleText } from '@shoal/core';
import type { ScriptScoreQuery } from '@shoal/query';
import { SCORE_CONTEXT } from '@shoal/script';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { askedDocs } from '../../context/asked-docs.ts';
import { refuseExpensive } from '../../context/refuse-expensive.ts';
import { explainWeight, scorerAt } from '../../explain/explain-weight.ts';
import { scoreTooLow } from '../../function-score/function-score-weight.ts';
import { DocumentScript, describeScript } from '../../scripts/document-script.ts';
import type { BoundScript, ScriptVectors } from '../../scripts/script-vectors.ts';
import type { Candidates } from '../../weight/doc-iterator.ts';
import { explained, noMatch } from '../../weight/explanation.ts';
import { nextOneByOne } from '../../weight/one-by-one.ts';
import { BATCH_SIZE, type Scorer } from '../../weight/scorer.ts';
import { hasPlainText, textOfWeight, type Weight } from '../../weight/weight.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';

interface ScoredBy {
  readonly script: DocumentScript;
  readonly boost: number;
  readonly minScore: number | null;
  /** Documents that the script is run for; null: all. It might fail over those that are deleted. */
  readonly liveDocs: (view: SegmentView) => Uint8Array | null;
}

export const scriptScore: QueryBehaviour<ScriptScoreQuery> = {
  compile(ctx, query, use, compileInner) {
    refuseExpensive(ctx, 'script score');
    const script = new DocumentScript(ctx, query.script, SCORE_CONTEXT);
    // A least score is a matter of which documents match, whoever asks for scores.
    const isScored = use.isScored || query.minScore !== null;
    const inner = compileInner(ctx, query.query, { boost: 1, isScored });
    const liveDocs = (view: SegmentView): Uint8Array | null => askedDocs(ctx, view);
    return isScored ? scoredWeight(inner, { script, boost: use.boost, minScore: query.minScore, liveDocs }) : inner;
  },
  describe: ({ query, script }, textOf) => ({
    type: 'ScriptScoreQuery',
    text: `script_score (${textOf(query)}, ${describeScript(script)})`,
  }),
  canMatch: (_ctx, { query }, canInnerMatch) => canInnerMatch(query),
  mark({ query }, sink, markInner) {
    // It is told to the fast vector highlighter by nothing, to the others by its words.
    if (sink.highlighter !== 'fvh') sink.apart(sink.highlighter === 'plain', () => markInner(query));
  },
};

function scoredWeight(query: Weight, by: ScoredBy): Weight {
  const { script, minScore } = by;
  return {
    text: `script_score (${textOfWeight(query)}, script: {${describeScript(script.script)}}`,
    ...(hasPlainText(query) && {
      plainText: `script_score (${textOfWeight(query, 'plain')}, script: {${describeScript(script.script)}}`,
    }),
    scorer(view) {
      const matches = query.scorer(view);
      const vectors = minScore === null ? script.vectors(view, by.liveDocs(view)) : null;
      if (matches === null) return null;
      return vectors === null ? new ScriptedScorer(matches, view, by) : new VectorScorer(matches, view, by, vectors);
    },
    explain(view, doc) {
      const inner = explainWeight(query, view, doc);
      if (!inner.isMatch) return inner;
      const free = { ...this, scorer: (of: SegmentView) => unlimited(query, of, by) };
      const score = scorerAt(free, view, doc)?.score() ?? 0;
      const text = `script score function, computed with script:"${describeScript(script.script)}"`;
      const readsScore = /\b_score\b/.test(script.script.source ?? '');
      const whole = explained(score, text, readsScore ? [{ ...inner, description: '_score: ', details: [inner] }] : []);
      if (minScore === null || score >= minScore) return whole;
      return noMatch(scoreTooLow(minScore, score), [whole]);
    },
    count: (view) => (minScore === null ? query.count(view) : -1),
  };
}

/** Without the least score, for explanations. */
function unlimited(query: Weight, view: SegmentView, by: ScoredBy): Scorer | null {
  const matches = query.scorer(view);
  return matches && new ScriptedScorer(matches, view, { ...by, minScore: null });
}

class ScriptedScorer implements Scorer {
  readonly #matches: Scorer;
  readonly #run: BoundScript;
  readonly #by: ScoredBy;
  readonly #live: Uint8Array | null;

  constructor(matches: Scorer, view: SegmentView, by: ScoredBy) {
    this.#matches = matches;
    this.#run = by.script.bind(view);
    this.#by = by;
    this.#live = by.liveDocs(view);
  }

  get doc(): number {
    return this.#matches.doc;
  }

  get cost(): number {
    return this.#matches.cost;
  }

  get candidates(): Candidates | null {
    const inner = this.#matches;
    const { minScore } = this.#by;
    const tested = inner.candidates ?? null;
    if (minScore === null) return tested;
    const matches = (): boolean => (tested === null || tested.matches()) && this.score() >= minScore;
    return { docs: tested?.docs ?? inner, matches };
  }

  next(): number {
    return this.#settle(this.#matches.next());
  }

  advance(target: number): number {
    return this.#settle(this.#matches.advance(target));
  }

  score(): number {
    const { script, boost } = this.#by;
    if (this.#live !== null && !isLive(this.#live, this.doc)) return 0;
    const value = this.#run(this.doc, script.readsScore ? this.#matches.score() : 0) as number;
    return Math.fround(checkedScore(value, this.doc) * boost);
  }

  #settle(start: number): number {
    const { minScore } = this.#by;
    let doc = start;
    if (minScore !== null) while (doc !== NO_MORE_DOCS && this.score() < minScore) doc = this.#matches.next();
    return doc;
  }
}

function checkedScore(value: number, doc: number): number {
  if (value >= 0 && value !== Number.POSITIVE_INFINITY) return value;
  throw illegalArgument(
    `script_score script returned an invalid score [${javaDoubleText(value)}] for doc [${doc}]. Must be a non-negative score!`,
  );
}

/** Scores that are made for a batch of documents at a time. */
class VectorScorer extends ScriptedScorer {
  readonly #matches: Scorer;
  readonly #live: Uint8Array | null;
  readonly #by: ScoredBy;
  readonly #vectors: ScriptVectors;
  readonly #values = new Float64Array(BATCH_SIZE);

  constructor(matches: Scorer, view: SegmentView, by: ScoredBy, vectors: ScriptVectors) {
    super(matches, view, by);
    this.#matches = matches;
    this.#live = by.liveDocs(view);
    this.#by = by;
    this.#vectors = vectors;
  }

  nextBatch(docs: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { script, boost } = this.#by;
    const readsScore = isScored && script.readsScore;
    const room = { docs, scores, isScored: readsScore };
    const count = this.#matches.nextBatch?.(docs, scores, readsScore) ?? nextOneByOne(this.#matches, room, BATCH_SIZE);
    if (!isScored) return count;
    const values = this.#values;
    this.#vectors.fill(docs, count, scores, values, 0);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const isDeleted = this.#live !== null && !isLive(this.#live, doc);
      scores[i] = isDeleted ? 0 : checkedScore(values[i] as number, doc) * boost;
    }
    return count;
  }
}
