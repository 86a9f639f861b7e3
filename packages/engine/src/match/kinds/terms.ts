/**
 * terms on a shard.
 */
import type { TermsQuery } from '@shoal/query';
import { termsWeight } from '../compile/compile-term-level.ts';
import { canHoldAny } from '../metadata/metadata-queries.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const terms: QueryBehaviour<TermsQuery> = {
  compile: (ctx, { field, values }, use) => termsWeight(ctx, field, values, use),
  describe: ({ field, values }) => ({ type: 'TermInSetQuery', text: `${field}:(${values.join(' ')})` }),
  canMatch: (ctx, { field, values }) => values.length > 0 && canHoldAny(ctx, field, values.map(String)),
  mark({ field, values }, sink) {
    for (const value of values) sink.value(field, value);
  },
};
