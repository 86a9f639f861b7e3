/**
 * All hits of a search, page after page, each going on behind the last hit of the page before.
 */
import { type EventMap, type EventValue, jsonText } from '@shoal/agent-event';
import type { LoopControl } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Log } from '@shoal/runtime';

/** Order of hits within a point in time: no two have the same. */
const SHARD_DOC = '_shard_doc';

interface PointInTime {
  /** An answer may replace it. */
  id: string;
}

/** The cluster answered with a status of failure. */
export class SearchRefused extends ShoalError {
  readonly answeredStatus: number;

  constructor(status: number, text: string) {
    super('http_exception', 502, `the search was answered with status ${status}: ${text}`);
    this.answeredStatus = status;
  }
}

export interface SearchAfterParts {
  /** It is changed. */
  readonly query: EventMap;
  readonly index: string;
  /** Hits of a page. */
  readonly size: number;
  /** Time that a point in time is kept between two pages, `1m`. */
  readonly keepAlive: string;
  readonly log: Log;
  readonly control: LoopControl;
  /** @throws SearchRefused when the answer is a failure, another error when there is none */
  ask(method: string, path: string, body: string): Promise<EventMap>;
  take(hits: readonly EventValue[]): Promise<void>;
}

export class SearchAfter {
  private readonly parts: SearchAfterParts;

  constructor(parts: SearchAfterParts) {
    this.parts = parts;
  }

  /**
   * In a point in time, where the cluster has them: there every two hits have an order, whatever the query sorts by. Elsewhere
   * by the order of the query alone.
   */
  async run(): Promise<void> {
    const { query } = this.parts;
    const sort = query.get('sort');
    const keys = Array.isArray(sort) ? sort : sort === undefined || sort === null ? [] : [sort];
    const point = await this.openPoint();
    if (point === null) return this.searchAfterSort(query, keys);
    try {
      const last = new Map([[SHARD_DOC, 'asc']]);
      query.set('sort', [...keys.filter((key) => key !== '_doc'), last]);
      await this.pagesAfter(query, point);
    } finally {
      await this.closePoint(point);
    }
    return undefined;
  }

  /**
   * The order of the query has to tell every two hits apart: equal ones at the border of two pages would be passed over. That
   * is counted and said, as it cannot be repaired here.
   */
  private async searchAfterSort(query: EventMap, keys: readonly EventValue[]): Promise<void> {
    if (keys.every((key) => key === '_doc' || key === '_score')) throw needsSort();
    query.set('track_total_hits', true);
    const { taken, expected } = await this.pagesAfter(query, null);
    if (taken < expected && !this.parts.control.isStopped)
      this.parts.log.warn('hits were passed over: the sort of the query does not tell them apart', {
        taken,
        expected,
      });
  }

  private async pagesAfter(query: EventMap, point: PointInTime | null): Promise<{ taken: number; expected: number }> {
    const { size, index, keepAlive } = this.parts;
    let taken = 0;
    let expected = 0;
    while (!this.parts.control.isStopped) {
      if (point !== null) query.set('pit', pointOf(point, keepAlive));
      const path = point === null ? `/${encodeURIComponent(index)}/_search?size=${size}` : `/_search?size=${size}`;
      const answer = await this.parts.ask('POST', path, jsonText(query));
      const id = answer.get('pit_id');
      if (point !== null && typeof id === 'string') point.id = id;
      const found = asMap(answer.get('hits'));
      const hits = found.get('hits');
      if (expected === 0) expected = Number(asMap(found.get('total')).get('value') ?? 0);
      if (!Array.isArray(hits) || hits.length === 0) break;
      await this.parts.take(hits);
      taken += hits.length;
      if (hits.length < size) break;
      query.set('search_after', asMap(hits[hits.length - 1]).get('sort') ?? []);
    }
    return { taken, expected };
  }

  /** null where the cluster has no points in time, or has them without the order that goes with them. */
  private async openPoint(): Promise<PointInTime | null> {
    const { index, keepAlive } = this.parts;
    let point: PointInTime | null = null;
    try {
      const { id } = Object.fromEntries(
        await this.parts.ask('POST', `/${encodeURIComponent(index)}/_pit?keep_alive=${keepAlive}`, ''),
      );
      if (typeof id !== 'string') return null;
      point = { id };
      const probe = new Map<string, EventValue>([
        ['pit', pointOf(point, keepAlive)],
        ['sort', [new Map([[SHARD_DOC, 'asc']])]],
      ]);
      const answer = await this.parts.ask('POST', '/_search?size=1', jsonText(probe));
      const hits = asMap(answer.get('hits')).get('hits');
      const isOrdered = !Array.isArray(hits) || hits.every((hit) => Array.isArray(asMap(hit).get('sort')));
      if (isOrdered) return point;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    if (point !== null) await this.closePoint(point);
    return null;
  }

  /** The cluster forgets it by itself later: a failure here does no harm. */
  private async closePoint({ id }: PointInTime): Promise<void> {
    await this.parts.ask('DELETE', '/_pit', jsonText(new Map([['id', id]]))).catch(() => undefined);
  }
}

function pointOf({ id }: PointInTime, keepAlive: string): EventMap {
  return new Map([
    ['id', id],
    ['keep_alive', keepAlive],
  ]);
}

/** The cluster answered that it does not do this; anything else that fails may work later. */
function isRefusal(error: unknown): boolean {
  return error instanceof SearchRefused && error.answeredStatus >= 400 && error.answeredStatus < 500;
}

function needsSort(): ShoalError {
  const text =
    'search_after needs a [query] with a sort by a field that no two documents share, such as a unique number';
  return new ShoalError('illegal_argument_exception', 400, text);
}

function asMap(value: EventValue | undefined): EventMap {
  return value instanceof Map ? value : new Map();
}
