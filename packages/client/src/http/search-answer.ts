/**
 * Answer of a search: hits with documents of the index, and aggregations as the request asked for them.
 */
import type { AnswersOf } from './aggregation-answers.ts';
import type { Hits, ShardCounts } from './hits.ts';
import type { IndexSchema } from './index-schema.ts';

/** What a hit shows of its document: nothing after `_source: false`. */
type ShownBy<Schema extends IndexSchema, Source> = Source extends false ? undefined : Schema['document'];

export interface SearchAnswer<Schema extends IndexSchema, Asked = unknown, Source = true> {
  readonly took: number;
  readonly timed_out: boolean;
  readonly terminated_early?: boolean;
  readonly _shards: ShardCounts;
  readonly hits: Hits<Schema, ShownBy<Schema, Source>>;
  readonly aggregations: AnswersOf<Schema, Schema['fields'], Asked>;
  readonly suggest?: Readonly<Record<string, readonly unknown[]>>;
  readonly pit_id?: string;
  readonly profile?: unknown;
}
