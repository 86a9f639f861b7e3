/**
 * The typed query tree to the words that it looks for.
 */
import type { QueryNode } from '@shoal/query';
import type { MarkSink } from '../marks/marks.ts';
import { behaviourOf } from './query-behaviours.ts';

export function markQuery(query: QueryNode, sink: MarkSink): void {
  behaviourOf(query).mark(query, sink, (inner) => markQuery(inner, sink));
}
