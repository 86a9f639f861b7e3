/**
 * Slow log of searches: query and fetch phases of a shard that took as long as the settings of its index say.
 */
import { writeJsonText } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { Log } from '@shoal/runtime';
import type { FlatIndexSettings } from '@shoal/schema';
import type { ShardId } from '@shoal/shard-api';
import { type SlowThresholds, slowLevel, slowThresholds, writeSlow } from './slow-log-levels.ts';

/** Characters of a query that are written. */
const QUERY_CHARS_MAX = 2_000;

export class SearchSlowLog {
  private readonly log: Log;
  private readonly shard: ShardId;
  private queries: SlowThresholds = null;
  private fetches: SlowThresholds = null;

  constructor(log: Log, shard: ShardId, settings: FlatIndexSettings) {
    this.log = log;
    this.shard = shard;
    this.updateSettings(settings);
  }

  updateSettings(settings: FlatIndexSettings): void {
    this.queries = slowThresholds(settings, 'index.search.slowlog.threshold.query');
    this.fetches = slowThresholds(settings, 'index.search.slowlog.threshold.fetch');
  }

  queried(tookMs: number, request: SearchRequest): void {
    if (this.queries !== null) this.write('slow query phase', this.queries, tookMs, request);
  }

  fetched(tookMs: number, request: SearchRequest): void {
    if (this.fetches !== null) this.write('slow fetch phase', this.fetches, tookMs, request);
  }

  private write(message: string, thresholds: SlowThresholds, tookMs: number, request: SearchRequest): void {
    const level = slowLevel(thresholds, tookMs);
    if (level === null) return;
    const { from, size, query } = request;
    writeSlow(this.log, level, message, {
      index: this.shard.index,
      shard: this.shard.number,
      tookMs: Math.round(tookMs),
      from,
      size,
      query: writeJsonText(query).slice(0, QUERY_CHARS_MAX),
    });
  }
}
