/**
 * Statistics of fields and terms over a shard, each read once a request.
 */

import { assert } from '@shoal/core';
import { type Mapping, BM25 as USUAL_SIMILARITY } from '@shoal/schema';
import type { TermStatisticsTable } from '@shoal/shard-api';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { FieldScores } from '../similarities/field-scores.ts';
import { ModelScores } from '../similarities/model-scores.ts';
import {
  Bm25,
  type FieldStatistics,
  fieldStatistics,
  isKernelSimilarity,
  type KernelSimilarity,
  lengthInverses,
} from '../weight/bm25.ts';
import { LocatedTerm } from '../weight/located-term.ts';

/** Where a term occurs over the shard. */
export interface TermStatistics {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

function termStatistics(searcher: Searcher, term: LocatedTerm): TermStatistics {
  const { field } = term;
  let docFreq = 0;
  let totalTermFreq = 0;
  for (const view of searcher.views) {
    const ordinal = term.ordinalIn(view);
    const terms = ordinal < 0 ? null : view.segment.terms(field);
    if (terms === null) continue;
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

/** Fields that are remembered of a searcher; keys of objects are fields too, and of any number. */
const FIELDS_MAX = 1_000;

type InversesByField = Map<string, { readonly similarity: KernelSimilarity; readonly table: Float32Array }>;

/** What follows from the segments of a searcher alone. */
interface OwnScores {
  readonly fields: Map<string, FieldStatistics>;
  readonly inverses: InversesByField;
}

/** Remembered as long as the searcher: the same for all of its searches. */
const OWN_SCORES = new WeakMap<Searcher, OwnScores>();

function ownScores(searcher: Searcher): OwnScores {
  let own = OWN_SCORES.get(searcher);
  if (!own) OWN_SCORES.set(searcher, (own = { fields: new Map(), inverses: new Map() }));
  return own;
}

function remember<T>(fields: Map<string, T>, field: string, value: T): void {
  if (fields.size >= FIELDS_MAX) fields.clear();
  fields.set(field, value);
}

/** Remembers what several terms of one request ask of the same field. */
export class StatisticsCache {
  readonly searcher: Searcher;
  private readonly mapping: Pick<Mapping, 'fields' | 'runtime'> | null;
  private readonly tables: StatisticsTables;
  private readonly fields = new Map<string, FieldStatistics>();
  private readonly inverses: InversesByField;

  /** `mapping`: of the index, which says how its fields are scored; null: as fields that say nothing of it. */
  constructor(
    searcher: Searcher,
    mapping: Pick<Mapping, 'fields' | 'runtime'> | null = null,
    tables: StatisticsTables = OWN_STATISTICS,
  ) {
    this.searcher = searcher;
    this.mapping = mapping;
    this.tables = tables;
    this.inverses = tables.given === null ? ownScores(searcher).inverses : new Map();
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
    return new Bm25(idf, { boost, similarity, inverses: this.inversesOf(field, similarity) });
  }

  private inversesOf(field: string, similarity: KernelSimilarity): Float32Array {
    // Asked for in any case: whoever collects statistics is told of the field.
    const statistics = this.field(field);
    const known = this.inverses.get(field);
    if (known?.similarity === similarity) return known.table;
    const table = lengthInverses(statistics, similarity);
    remember(this.inverses, field, { similarity, table });
    return table;
  }

  field(field: string): FieldStatistics {
    let found = this.fields.get(field);
    if (!found) {
      found = this.tables.given?.field(field) ?? this.ownField(field);
      this.fields.set(field, found);
      this.tables.seen?.setField(field, found);
    }
    return found;
  }

  private ownField(field: string): FieldStatistics {
    const { fields } = ownScores(this.searcher);
    const known = fields.get(field);
    if (known !== undefined) return known;
    const found = fieldStatistics(this.searcher, field);
    remember(fields, field, found);
    return found;
  }

  term(field: string, term: Uint8Array): TermStatistics {
    return this.located(this.locate(field, term));
  }

  /** A term whose place in each segment is remembered, for those that ask for more than its statistics. */
  locate(field: string, term: Uint8Array): LocatedTerm {
    return new LocatedTerm(this.searcher, field, term);
  }

  /** Statistics of a term of `locate`. */
  located(term: LocatedTerm): TermStatistics {
    const { field, bytes } = term;
    const found = this.tables.given?.term(field, bytes) ?? termStatistics(this.searcher, term);
    this.tables.seen?.setTerm(field, bytes, found);
    return found;
  }
}
