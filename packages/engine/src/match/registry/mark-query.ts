/**
 * The typed query tree to the words that it looks for.
 */
import type { QueryNode } from '@shoal/query';
import type { MarkSink } from '../marks/marks.ts';
import { behaviourOf } from './query-behaviours.ts';

/** What weighs nothing is no mark to the plain highlighter, which marks words by what they score. */
export function markQuery(query: QueryNode, sink: MarkSink): void {
  if (query.boost === 0 && sink.highlighter === 'plain') return;
  behaviourOf(query).mark(query, sink, (inner) => markQuery(inner, sink));
}
