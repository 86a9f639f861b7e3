/**
 * combined_fields on a shard.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { CombinedFieldsQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import {
  analyzeQueryText,
  anyWeight,
  combineTerms,
  searchAnalyzer,
  termsByPosition,
  wordsPhraseWeight,
  zeroTermsWeight,
} from '../../compile/compile-full-text.ts';
import { searchedFields } from '../../compile/compile-multi-match.ts';
import { graphParts, isGraph } from '../../compile/token-graph.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import type { MarkSink } from '../../marks/marks.ts';
import { CLAUSES_MAX } from '../../term-sets/clause-limits.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import { wordsText } from '../match.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { type CombinedTermOptions, combinedTermWeight } from './combined-term-weight.ts';

const NAME = 'combined_fields';

interface CombinedField {
  readonly field: FieldMapping;
  readonly boost: number;
}

function compileCombinedFields(ctx: CompileContext, query: CombinedFieldsQuery, use: ClauseUse): Weight {
  const fields = fieldsOf(ctx, query);
  const [first] = fields;
  if (first === undefined) return NONE_WEIGHT;
  const tokens = analyzeQueryText(searchAnalyzer(ctx, first.field, null), query.value);
  if (tokens.length === 0) return zeroTermsWeight(query.zeroTerms, use);
  const combined = new CombinedTerms(ctx, fields, use);
  if (!isGraph(tokens)) {
    return combineTerms(
      termsByPosition(tokens).map((terms) => combined.weight(terms)),
      query,
    );
  }
  const phrases = query.phrasesSynonyms && fields.every(({ field }) => field.hasPositions);
  const parts = graphParts(tokens).map((part) =>
    part.kind === 'words' ? combined.weight(part.terms) : anyWeight(part.ways.map((way) => combined.way(way, phrases))),
  );
  return combineTerms(parts, query);
}

/** Words in all of the fields. */
class CombinedTerms {
  private readonly ctx: CompileContext;
  private readonly fields: readonly CombinedField[];
  private readonly use: ClauseUse;
  private readonly similarity: CombinedTermOptions['similarity'];

  constructor(ctx: CompileContext, fields: readonly CombinedField[], use: ClauseUse) {
    this.ctx = ctx;
    this.fields = fields;
    this.use = use;
    assert(fields.length > 0, 'no fields to combine');
    this.similarity = sharedSimilarity(fields);
    const withNorms = fields.filter(({ field }) => field.hasNorms).length;
    if (withNorms > 0 && withNorms < fields.length) {
      throw illegalArgument(
        'CombinedFieldQuery requires norms to be consistent across fields: some fields cannot have norms enabled, while others have norms disabled',
      );
    }
  }

  /** A word, or several in its place. */
  weight(terms: readonly Uint8Array[]): Weight {
    if (terms.length * this.fields.length > CLAUSES_MAX)
      throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    return combinedTermWeight(this.ctx.statistics, {
      fields: this.fields.map(({ field, boost }) => ({
        path: field.path,
        weight: Math.fround(boost),
        hasNorms: field.hasNorms,
      })),
      terms,
      similarity: this.similarity,
      ...this.use,
    });
  }

  /** Words that stand for one: a phrase in any of the fields, or each of them anywhere. */
  way(words: readonly Uint8Array[], asPhrase: boolean): Weight {
    if (words.length === 1 || !asPhrase) {
      const weights = words.map((word) => this.weight([word]));
      return combineTerms(weights, { operator: 'and', minimumShouldMatch: null });
    }
    return anyWeight(
      this.fields.map(({ field, boost }) =>
        wordsPhraseWeight(this.ctx, field, words, 0, { ...this.use, boost: this.use.boost * boost }),
      ),
    );
  }
}

/** @throws illegal_argument_exception where a field has one of its own */
function sharedSimilarity(fields: readonly CombinedField[]): CombinedTermOptions['similarity'] {
  for (const { field } of fields) {
    if (field.similarityName !== null) {
      throw illegalArgument(`[${NAME}] queries cannot be used with per-field similarities`);
    }
    if (field.similarity.kind === 'BM25') return field.similarity;
  }
  throw illegalArgument(`[${NAME}] queries can only be used with the [BM25] similarity`);
}

/** Mapped fields. @throws illegal_argument_exception where they cannot be searched as one */
function fieldsOf(ctx: CompileContext, query: CombinedFieldsQuery): readonly CombinedField[] {
  if (query.fields.length === 0) throw illegalArgument(`In [${NAME}] query, at least one field must be provided`);
  const fields = searchedFields(ctx, query.fields);
  let analyzer: string | null = null;
  for (const { field } of fields) {
    if (field.kind !== 'text') {
      throw illegalArgument(`Field [${field.path}] of type [${field.kind}] does not support [${NAME}] queries`);
    }
    const { name } = searchAnalyzer(ctx, field, null);
    if (analyzer !== null && name !== analyzer) {
      throw illegalArgument(`All fields in [${NAME}] query must have the same search analyzer`);
    }
    analyzer = name;
  }
  return fields;
}

export const combinedFields: QueryBehaviour<CombinedFieldsQuery> = {
  compile: compileCombinedFields,
  describe: ({ fields, value }) => ({
    type: 'CombinedFieldQuery',
    text: `(${fields.map(({ pattern }) => wordsText(pattern, value)).join(' | ')})`,
  }),
  mark(query, sink: MarkSink) {
    const fields = fieldsOf(sink.ctx, query);
    for (const { field } of fields) {
      for (const { term } of analyzeQueryText(searchAnalyzer(sink.ctx, field, null), query.value)) {
        sink.word(field.path, Buffer.from(term).toString('utf8'));
      }
    }
  },
};
