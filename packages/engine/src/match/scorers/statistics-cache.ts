/**
 * Statistics of fields and terms over a shard, each read once a request.
 */

import { assert } from '@shoal/core';
import { type Mapping, BM25 as USUAL_SIMILARITY } from '@shoal/schema';
import type { TermStatisticsTable } from '@shoal/shard-api';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { FieldScores } from '../similarities/field-scores.ts';
import { ModelScores } from '../similarities/model-scores.ts';
import { Bm25, type FieldStatistics, fieldStatistics, isKernelSimilarity, lengthInverses } from '../weight/bm25.ts';

/** Where a term occurs over the shard. */
export interface TermStatistics {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

function termStatistics(searcher: Searcher, field: string, term: Uint8Array): TermStatistics {
  let docFreq = 0;
  let totalTermFreq = 0;
  for (const { segment } of searcher.views) {
    const terms = segment.terms(field);
    const ordinal = terms ? terms.find(term) : -1;
    if (!terms || ordinal < 0) continue;
    docFreq += terms.docFreq(ordinal);
    totalTermFreq += terms.totalTermFreq(ordinal);
  }
  assert(docFreq <= totalTermFreq, `${field}: a term in ${docFreq} documents occurs ${totalTermFreq} times`);
  assert(docFreq <= searcher.maxDoc, `${field}: a term in ${docFreq} of ${searcher.maxDoc} documents`);
  return { docFreq, totalTermFreq };
}

/** Terms that are scored as one. */
export interface ScoredTerms {
  readonly boost: number;
  /** Sum of the idfs of the terms. */
  readonly idf: number;
  readonly terms: readonly TermStatistics[];
}

export interface StatisticsTables {
  /** Statistics of all shards together; null: those of this shard count. */
  readonly given: TermStatisticsTable | null;
  /** Takes note of all that is asked for; null: nobody wants to know. */
  readonly seen: TermStatisticsTable | null;
}

const OWN_STATISTICS: StatisticsTables = { given: null, seen: null };

/** Remembers what several terms of one request ask of the same field. */
export class StatisticsCache {
  readonly searcher: Searcher;
  private readonly mapping: Pick<Mapping, 'fields' | 'runtime'> | null;
  private readonly tables: StatisticsTables;
  private readonly fields = new Map<string, FieldStatistics>();
  private readonly inverses = new Map<string, Float32Array>();

  /** `mapping`: of the index, which says how its fields are scored; null: as fields that say nothing of it. */
  constructor(
    searcher: Searcher,
    mapping: Pick<Mapping, 'fields' | 'runtime'> | null = null,
    tables: StatisticsTables = OWN_STATISTICS,
  ) {
    this.searcher = searcher;
    this.mapping = mapping;
    this.tables = tables;
  }

  /** Terms of the field have no statistics: its values are made by each search. */
  isRuntime(field: string): boolean {
    return this.mapping?.runtime.has(field) === true;
  }

  /** Scores of a term or phrase of a field. */
  scores(field: string, { boost, idf, terms }: ScoredTerms): FieldScores {
    const similarity = this.mapping?.fields.get(field)?.similarity ?? USUAL_SIMILARITY;
    if (!isKernelSimilarity(similarity)) {
      const { docCount, sumDocFreq, sumTotalTermFreq: tokenCount } = this.field(field);
      return new ModelScores(
        similarity,
        terms.map((term) => ({ ...term, boost, docCount, sumDocFreq, tokenCount })),
      );
    }
    let inverses = this.inverses.get(field);
    if (!inverses) this.inverses.set(field, (inverses = lengthInverses(this.field(field), similarity)));
    return new Bm25(idf, { boost, similarity, inverses });
  }

  field(field: string): FieldStatistics {
    let found = this.fields.get(field);
    if (!found) {
      found = this.tables.given?.field(field) ?? fieldStatistics(this.searcher, field);
      this.fields.set(field, found);
      this.tables.seen?.setField(field, found);
    }
    return found;
  }

  term(field: string, term: Uint8Array): TermStatistics {
    const found = this.tables.given?.term(field, term) ?? termStatistics(this.searcher, field, term);
    this.tables.seen?.setTerm(field, term, found);
    return found;
  }
}
