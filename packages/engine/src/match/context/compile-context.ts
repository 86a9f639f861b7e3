/**
 * What turning a query into weights needs to know of the shard, and the errors that name the index.
 */

import type { AnalyzerRegistry } from '@shoal/analysis';
import { isAssertionFailure, isShoalError, rootCausesOf, ShoalError } from '@shoal/core';
import type { QueryNode } from '@shoal/query';
import type { FieldMapping, Mapping } from '@shoal/schema';
import type { ShardId } from '@shoal/shard-api';
import type { RequestClock } from '../../field-types/contract/field-type.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { ShardFielddata } from '../../memory/fielddata-use.ts';
import type { RequestFilters } from '../../memory/filter-use.ts';
import type { QueryProfile } from '../profile/query-profile.ts';
import type { StatisticsCache } from '../scorers/statistics-cache.ts';
import type { PreparedDocs } from './prepared-docs.ts';

/** Parts of a request around its query that a query depends on. */
export interface RequestScope {
  /** Filter of the alias by which the index was named; null without one. */
  readonly aliasFilter: QueryNode | null;
  /** Hits of the page. */
  readonly size: number;
}

export interface CompileContext {
  readonly searcher: Searcher;
  readonly mapping: Mapping;
  readonly settings: Readonly<Record<string, string>>;
  readonly analyzers: AnalyzerRegistry;
  readonly shard: ShardId;
  /** Aliases of the index; left out where it has none. */
  readonly aliases?: readonly string[];
  readonly statistics: StatisticsCache;
  /** What `now` means in date math. */
  readonly clock: RequestClock;
  /** Left out where nobody counts what fields hold. */
  readonly fielddata?: ShardFielddata;
  /** Left out where no filters are kept. */
  readonly filters?: RequestFilters;
  /** Finds before the query runs what takes long; left out where all may be done at once. */
  readonly prepared?: PreparedDocs;
  /** Expensive queries are forbidden; left out where all are allowed. */
  readonly refusesExpensive?: boolean;
  /** Sorting and aggregating by `_id` are forbidden; left out where they are allowed. */
  readonly refusesIdValues?: boolean;
  /** Patterns of this kind are allowed all the same, as in query strings; left out where none are. */
  readonly exemptPatterns?: 'regexp';
  /** Told of every part of the query as it is compiled; left out where nobody wants to know. */
  readonly profile?: QueryProfile;
  /** Nested object in whose documents the query looks; left out in those that are nested in nothing. */
  readonly nestedPath?: string;
  /** Left out where a query is compiled for no request of hits. */
  readonly scope?: RequestScope;
}

/** Type of the refusals of expensive queries. */
export const FORBIDDEN_TYPE = 'exception';

const encoder = new TextEncoder();

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A failure that belongs to a shard's view of the query: it names the index. */
export function queryShardError(shard: ShardId, reason: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError('query_shard_exception', 400, reason, {
    metadata: { index: shard.index, index_uuid: shard.indexUuid },
    ...(causedBy ? { causedBy, rootCauses: rootCausesOf(causedBy) } : {}),
  });
}

/** A `queryShardError` whose cause is an error of Lucene, which tells nobody where it comes from. */
export function queryTextShardError(shard: ShardId, reason: string, causedBy: ShoalError): ShoalError {
  const { metadata } = queryShardError(shard, reason);
  return new ShoalError('query_shard_exception', 400, reason, { metadata, causedBy });
}

/** Runs `compile`; what goes wrong becomes "failed to create query" with the cause, as Elasticsearch reports it. */
export function asQueryShardError<T>(shard: ShardId, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (isAssertionFailure(error) || !isShoalError(error)) throw error;
    // Damage that was found in the index is not the query's fault.
    if (error.type === 'corrupt_index_exception') throw error;
    if (error.type === 'query_shard_exception' || error.type === 'parsing_exception') throw error;
    throw queryShardError(shard, `failed to create query: ${error.reason}`, error);
  }
}

/** Fields that a pattern such as `title`, `name.*` or `*` names; without a star just the field, if it is mapped. */
export function fieldsMatching(mapping: Mapping, pattern: string): FieldMapping[] {
  const names = pattern.includes('*') ? fieldNamesMatching(mapping, pattern) : [pattern];
  return names.flatMap((name) => mapping.field(name) ?? []);
}

/** Names of indexed fields, and names that refer to them, that fit a pattern. */
export function fieldNamesMatching(mapping: Mapping, pattern: string): string[] {
  const test = new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`, 's');
  return [...mapping.named].flatMap(([name, field]) => (field.isIndexed && test.test(name) ? [name] : []));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
