/**
 * A word, or several in its place, in several fields as if these were one: frequencies and lengths add up, each times the weight of
 * its field.
 *
 * @see Robertson, Zaragoza & Taylor, "Simple BM25 Extension to Multiple Weighted Fields" (2004); figures as Lucene's
 *      CombinedFieldQuery rounds them
 */
import { assert } from '@shoal/core';
import type { Similarity } from '@shoal/schema';
import { decodeFieldLength, encodeFieldLength, NO_NORM } from '../../../bytes/small-float.ts';
import type { PostingsCursor, SegmentView } from '../../../format/reader/segment-reader.ts';
import { explainIdf, explainScore } from '../../explain/explain-score.ts';
import type { StatisticsCache } from '../../scorers/statistics-cache.ts';
import { termCursor } from '../../scorers/term-weight.ts';
import { Bm25, type FieldStatistics, idf, lengthInverses } from '../../weight/bm25.ts';
import { explained, noMatch } from '../../weight/explanation.ts';
import type { Scorer } from '../../weight/scorer.ts';
import { UnitedDocs } from '../../weight/united-docs.ts';
import type { Weight } from '../../weight/weight.ts';

export interface WeightedField {
  readonly path: string;
  /** At least 1. */
  readonly weight: number;
  readonly hasNorms: boolean;
}

export interface CombinedTermOptions {
  /** At least one; all have norms, or none has. */
  readonly fields: readonly WeightedField[];
  /** Distinct; at least one. */
  readonly terms: readonly Uint8Array[];
  readonly similarity: Extract<Similarity, { kind: 'BM25' }>;
  readonly boost: number;
  readonly isScored: boolean;
}

const { fround } = Math;

export function combinedTermWeight(statistics: StatisticsCache, options: CombinedTermOptions): Weight {
  const { fields, terms, boost, isScored, similarity } = options;
  assert(fields.length > 0 && terms.length > 0, `${terms.length} terms in ${fields.length} fields`);
  const text = textOf(options);
  const docFreq = isScored ? commonestTerm(statistics, options) : 0;
  const merged = isScored ? mergedStatistics(statistics, fields) : { docCount: 0, sumTotalTermFreq: 0, sumDocFreq: 0 };
  const inverses = lengthInverses(merged, similarity);
  const bm25 = isScored ? new Bm25(idf(docFreq, merged.docCount), { boost, similarity, inverses }) : null;
  return {
    text,
    scorer: (view) => combinedScorer(view, options, bm25),
    explain(view, doc) {
      const scorer = combinedScorer(view, options, bm25);
      if (scorer?.advance(doc) !== doc) return noMatch('no matching term');
      if (bm25 === null) return explained(0, text);
      const { freq } = scorer;
      // The norm of this document alone is looked at.
      const norms = scorer.norms === null ? null : new Uint8Array(doc + 1).fill(scorer.norm(), doc);
      return explainScore({
        text,
        doc,
        score: scorer.score(),
        scores: bm25,
        idf: explainIdf(docFreq, merged.docCount),
        freq: explained(freq, `termFreq=${Number.isInteger(freq) ? freq.toFixed(1) : String(freq)}`),
        norms,
        statistics: merged,
      });
    },
    count: () => -1,
  };
}

function textOf({ fields, terms }: CombinedTermOptions): string {
  const names = fields.map(({ path, weight }) => (weight === 1 ? path : `${path}^${weightText(weight)}`)).sort();
  const words = terms.map((term) => Buffer.from(term)).sort(Buffer.compare);
  return `CombinedFieldQuery((${names.join(' ')})(${words.map((word) => word.toString('utf8')).join(' ')}))`;
}

function weightText(weight: number): string {
  return Number.isInteger(weight) ? weight.toFixed(1) : String(weight);
}

/** Documents that hold the term in the field where most do. */
function commonestTerm(statistics: StatisticsCache, { fields, terms }: CombinedTermOptions): number {
  let most = 0;
  for (const { path } of fields) {
    for (const term of terms) most = Math.max(most, statistics.term(path, term).docFreq);
  }
  return most;
}

/** Statistics of a field that holds the words of all of them. */
function mergedStatistics(statistics: StatisticsCache, fields: readonly WeightedField[]): FieldStatistics {
  let docCount = 0;
  let sumTotalTermFreq = 0;
  let sumDocFreq = 0;
  for (const { path, weight } of fields) {
    const field = statistics.field(path);
    docCount = Math.max(docCount, field.docCount);
    sumDocFreq += field.sumDocFreq;
    sumTotalTermFreq = Math.trunc(sumTotalTermFreq + weight * field.sumTotalTermFreq);
  }
  assert(docCount <= sumTotalTermFreq, `${sumTotalTermFreq} words in ${docCount} documents`);
  return { docCount, sumTotalTermFreq, sumDocFreq };
}

interface WeightedCursor {
  readonly cursor: PostingsCursor;
  readonly weight: number;
}

interface WeightedNorms {
  readonly norms: Uint8Array;
  readonly weight: number;
}

function combinedScorer(
  view: SegmentView,
  { fields, terms }: CombinedTermOptions,
  bm25: Bm25 | null,
): CombinedScorer | null {
  const cursors = fields.flatMap(({ path, weight }) =>
    terms.flatMap((term) => {
      const cursor = termCursor(view, path, term);
      return cursor === null ? [] : [{ cursor, weight }];
    }),
  );
  if (cursors.length === 0) return null;
  if (!fields.every(({ hasNorms }) => hasNorms)) return new CombinedScorer(cursors, null, bm25);
  const norms = fields.flatMap(({ path, weight }): readonly WeightedNorms[] => {
    const found = view.segment.norms(path);
    return found === null ? [] : [{ norms: found, weight }];
  });
  return new CombinedScorer(cursors, norms, bm25);
}

class CombinedScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  /** null: the fields have none. */
  readonly norms: readonly WeightedNorms[] | null;
  private readonly cursors: readonly WeightedCursor[];
  private readonly docs: UnitedDocs;
  private readonly bm25: Bm25 | null;

  constructor(cursors: readonly WeightedCursor[], norms: readonly WeightedNorms[] | null, bm25: Bm25 | null) {
    this.cursors = cursors;
    assert(cursors.length > 0, `a combined term of ${cursors.length} postings`);
    this.norms = norms;
    this.bm25 = bm25;
    this.docs = new UnitedDocs(cursors.map(({ cursor }) => cursor));
    this.cost = this.docs.cost;
  }

  /** Occurrences in the document, each as often as its field weighs. */
  get freq(): number {
    let sum = 0;
    for (const { cursor, weight } of this.cursors) {
      if (cursor.doc === this.doc) sum = fround(sum + fround(weight * cursor.freq));
    }
    return sum;
  }

  next(): number {
    return (this.doc = this.docs.next());
  }

  advance(target: number): number {
    return (this.doc = this.docs.advance(target));
  }

  score(): number {
    return this.bm25 === null ? 0 : this.bm25.score(this.freq, this.norm());
  }

  /** Norm of the length of all fields together. */
  norm(): number {
    if (this.norms === null) return NO_NORM;
    let length = 0;
    for (const { norms, weight } of this.norms) {
      length = fround(length + fround(weight * decodeFieldLength(norms[this.doc] as number)));
    }
    return encodeFieldLength(Math.floor(length + 0.5));
  }
}
