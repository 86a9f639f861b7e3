/**
 * Span queries on a shard.
 */
import type { SpanQuery } from '@shoal/query';
import { spanWeight } from '../compile/compile-span.ts';
import { markSpan } from './marked-positions.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const span: QueryBehaviour<SpanQuery> = {
  compile: (ctx, query, use) => spanWeight(ctx, query.span, use),
  describe: () => ({ type: 'SpanQuery', text: '' }),
  mark: (query, sink) => markSpan(sink, query.span),
};
