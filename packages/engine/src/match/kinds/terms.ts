/**
 * terms on a shard.
 */
import type { TermsQuery } from '@shoal/query';
import { termsWeight } from '../compile/compile-term-level.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const terms: QueryBehaviour<TermsQuery> = {
  compile: (ctx, { field, values }, use) => termsWeight(ctx, field, values, use),
  describe: ({ field, values }) => ({ type: 'TermInSetQuery', text: `${field}:(${values.join(' ')})` }),
  mark({ field, values }, sink) {
    for (const value of values) sink.value(field, value);
  },
};
