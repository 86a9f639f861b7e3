/**
 * Answers of `_termvectors`, and entries of `_mtermvectors`, in Elasticsearch's shape.
 */
import type { TermVectorsOutcome } from '@shoal/coordinator';
import { RawJson, renderErrorBody } from '@shoal/core';
import { SINGLE_TYPE } from '../request/single-type.ts';
import type { VectorsDraft } from './parse-term-vectors.ts';

type Answer = Readonly<Record<string, unknown>>;

export function renderVectors(
  { id, source }: VectorsDraft,
  { index, found, tookMs }: Extract<TermVectorsOutcome, { kind: 'answered' }>,
  withType: boolean,
): Answer {
  return {
    _index: index,
    _type: withType ? SINGLE_TYPE : undefined,
    _id: source === null ? id : undefined,
    _version: found?.version ?? 0,
    found: found !== null,
    took: tookMs,
    term_vectors: found === null ? undefined : new RawJson(found.vectors),
  };
}

export function renderVectorsEntry(draft: VectorsDraft, outcome: TermVectorsOutcome, withType: boolean): Answer {
  if (outcome.kind === 'answered') return renderVectors(draft, outcome, withType);
  const { error } = renderErrorBody(outcome.error);
  const _type = withType ? SINGLE_TYPE : undefined;
  return { _index: outcome.index, _type, _id: draft.source === null ? draft.id : undefined, error };
}
