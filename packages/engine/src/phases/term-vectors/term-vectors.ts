/**
 * Term vectors of one document as a shard answers them: JSON by field, terms in byte order.
 */
import { FloatNumber, writeJson } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { TermVectorsRequest } from '@shoal/shard-api';
import { WorkPacer, type YieldNow } from '../../pacing/work-pacer.ts';
import type { ShardSearchContext } from '../context/shard-search-context.ts';
import { type FieldVector, fieldVector, TokenBudget, type VectorField, type VectorToken } from './field-vector.ts';
import { selectTerms } from './select-terms.ts';
import { vectorFields } from './vector-fields.ts';
import { type VectorStatistics, vectorStatistics } from './vector-statistics.ts';

/** Asked for like a document: nobody stops it. */
const NEVER = { isStopped: false };

export interface TermVectorsContext extends ShardSearchContext {
  /** Left out where nobody else can be waiting. */
  readonly yieldNow?: YieldNow;
}

/** JSON of the vectors of a document. @throws ShoalError for an artificial document that does not fit the mapping */
export async function termVectors(
  context: TermVectorsContext,
  source: Uint8Array,
  request: TermVectorsRequest,
  clock: Clock,
): Promise<Uint8Array> {
  const yieldNow = context.yieldNow ?? null;
  const pacer = new WorkPacer({ stop: NEVER, nowMs: () => clock.monotonicMs(), timeoutMs: null, yieldNow });
  const budget = new TokenBudget();
  const vectors = new Map<string, unknown>();
  for (const field of vectorFields(context, source, request)) {
    const vector = fieldVector(field, budget);
    if (vector.size > 0) {
      const statistics = vectorStatistics(context.searcher, field.path, vector);
      vectors.set(field.path, {
        field_statistics: request.fieldStatistics ? renderStatistics(statistics) : undefined,
        terms: await renderTerms({ field, vector, statistics }, request, pacer),
      });
    }
  }
  return writeJson(vectors);
}

function renderStatistics({ sumDocFreq, docCount, sumTotalTermFreq }: VectorStatistics): unknown {
  return { sum_doc_freq: sumDocFreq, doc_count: docCount, sum_ttf: sumTotalTermFreq };
}

interface CountedVector {
  readonly field: VectorField;
  readonly vector: FieldVector;
  readonly statistics: VectorStatistics;
}

async function renderTerms(
  { field, vector, statistics }: CountedVector,
  request: TermVectorsRequest,
  pacer: WorkPacer,
): Promise<unknown> {
  const scores = request.filter === null ? null : selectTerms(vector, statistics, request.filter);
  const terms = new Map<string, unknown>();
  for (const [term, tokens] of vector) {
    const score = scores?.get(term);
    if (scores !== null && score === undefined) continue;
    const counts = request.termStatistics ? statistics.term(term) : null;
    terms.set(term, {
      doc_freq: counts?.docFreq,
      ttf: counts?.totalTermFreq,
      term_freq: tokens.length,
      tokens: renderTokens(field, tokens, request),
      score: score === undefined ? undefined : new FloatNumber(score),
    });
    const pause = pacer.checkpoint();
    if (pause !== null) await pause;
  }
  return terms;
}

/** undefined where nothing of a token is shown. */
function renderTokens({ parts }: VectorField, tokens: readonly VectorToken[], request: TermVectorsRequest): unknown {
  const hasPositions = parts.hasPositions && request.positions;
  const hasOffsets = parts.hasOffsets && request.offsets;
  const hasPayloads = parts.hasPayloads && request.payloads;
  if (!hasPositions && !hasOffsets && !hasPayloads) return undefined;
  return tokens.map(({ position, start, end, payload }) => ({
    position: hasPositions ? position : undefined,
    start_offset: hasOffsets ? start : undefined,
    end_offset: hasOffsets ? end : undefined,
    payload: hasPayloads && payload !== null ? Buffer.from(payload).toString('base64') : undefined,
  }));
}
