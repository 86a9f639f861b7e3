/**
 * Hits of a search, with the documents that they show, and the shards that were asked.
 */
import type { IndexSchema, NamesOf } from './index-schema.ts';

export interface ShardCounts {
  readonly total: number;
  readonly successful: number;
  readonly skipped?: number;
  readonly failed: number;
  readonly failures?: readonly unknown[];
}

export interface Hit<Schema extends IndexSchema, Shown> {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source: Shown;
  readonly _routing?: string;
  readonly _version?: number;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
  readonly sort?: readonly unknown[];
  readonly fields?: { readonly [Name in NamesOf<Schema['fields'], string>]?: readonly unknown[] } & Readonly<
    Record<string, readonly unknown[] | undefined>
  >;
  readonly highlight?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly inner_hits?: Readonly<Record<string, { readonly hits: Hits<Schema, unknown> }>>;
  readonly matched_queries?: readonly string[];
  readonly _explanation?: unknown;
}

export interface Hits<Schema extends IndexSchema, Shown> {
  /** Absent when `track_total_hits` is false. */
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly max_score: number | null;
  readonly hits: readonly Hit<Schema, Shown>[];
}
