/**
 * Answers of `_termvectors`, and entries of `_mtermvectors`, in Elasticsearch's shape.
 */
import type { TermVectorsOutcome } from '@shoal/coordinator';
import { RawJson, renderErrorBody } from '@shoal/core';
import type { VectorsDraft } from './parse-term-vectors.ts';

type Answer = Readonly<Record<string, unknown>>;

export function renderVectors(
  { id, source }: VectorsDraft,
  { index, found, tookMs }: Extract<TermVectorsOutcome, { kind: 'answered' }>,
): Answer {
  return {
    _index: index,
    _id: source === null ? id : undefined,
    _version: found?.version ?? 0,
    found: found !== null,
    took: tookMs,
    term_vectors: found === null ? undefined : new RawJson(found.vectors),
  };
}

export function renderVectorsEntry(draft: VectorsDraft, outcome: TermVectorsOutcome): Answer {
  if (outcome.kind === 'answered') return renderVectors(draft, outcome);
  const { error } = renderErrorBody(outcome.error);
  return { _index: outcome.index, _id: draft.source === null ? draft.id : undefined, error };
}
