/**
 * Hits of another cluster, by a scroll over HTTP: Elasticsearch, OpenSearch or this server.
 *
 * What the other side sends is read with limits and never trusted; documents are passed on as they came.
 */
import type { HttpAnswer } from '@shoal/agent-plugin-kit';
import {
  asShoalError,
  isObject,
  isShoalError,
  jsonItems,
  jsonMembers,
  parseJson,
  ShoalError,
  writeJson,
} from '@shoal/core';
import type { SourceRequest } from './by-query-request.ts';
import { RETRIES_MAX, retryWaitMs, TOO_MANY_REQUESTS } from './refused-attempts.ts';
import type { RemoteClient, RemoteCluster } from './remote-client.ts';
import type { HitFailure, HitPage, SourceHit, SourceHits } from './source-hits.ts';

type Json = Readonly<Record<string, unknown>>;

export interface RemoteSearch {
  readonly cluster: RemoteCluster;
  readonly indices: readonly string[];
  /** Body of the search without its size. */
  readonly body: Json;
  /** Documents of a page. */
  readonly size: number;
  readonly keepAliveMs: number;
}

/** Longest time that one answer may take in all. */
const CALL_MS_MAX = 60 * 60 * 1_000;
/** Characters of an error's body that are shown. */
const SHOWN_BODY_MAX = 4_096;
const STATUS_OK = 200;

export class RemoteHits implements SourceHits {
  readonly #search: RemoteSearch;
  readonly #source: SourceRequest;
  readonly #client: Promise<RemoteClient>;
  #scrollId: string | null = null;

  constructor(search: RemoteSearch, source: SourceRequest) {
    this.#search = search;
    this.#source = source;
    this.#client = import('./remote-client.ts').then(({ remoteClient }) => remoteClient(search.cluster));
    // Why there is no client is told by the next call.
    const close = (): Promise<void> => this.#client.then((client) => client.close()).catch(() => undefined);
    source.signal.onCancel(() => void close());
  }

  async next(idleMs: number): Promise<HitPage> {
    const { indices, body, size, keepAliveMs } = this.#search;
    const keepAlive = `${Math.ceil(keepAliveMs + idleMs)}ms`;
    if (this.#scrollId !== null) {
      return this.#page(await this.#ask('POST', '/_search/scroll', { scroll: keepAlive, scroll_id: this.#scrollId }));
    }
    const names = indices.map(encodeURIComponent).join(',');
    const wanted = Math.min(size, this.#source.documentsMax ?? size);
    const first = { ...body, size: wanted, version: true };
    return this.#page(await this.#ask('POST', `/${names}/_search?scroll=${keepAlive}`, first));
  }

  /** The other cluster forgets the scroll by itself: that it could not be told is no failure of the copy. */
  async close(): Promise<void> {
    try {
      if (this.#scrollId !== null && !this.#source.signal.cancelled) {
        await this.#call('DELETE', '/_search/scroll', { scroll_id: [this.#scrollId] });
      }
    } catch (error) {
      if (!isShoalError(error)) throw error;
    } finally {
      (await this.#client).close();
    }
  }

  /** Asked again, each time after a longer wait, while the other cluster has no room. */
  async #ask(method: string, path: string, body: Json): Promise<Uint8Array> {
    const { retries, pauses, signal } = this.#source;
    for (let retry = 1; ; retry++) {
      const answer = await this.#call(method, path, body);
      if (answer.status === STATUS_OK) return answer.body;
      if (answer.status !== TOO_MANY_REQUESTS || retry > RETRIES_MAX || signal.cancelled) throw remoteError(answer);
      retries.searchRetries++;
      await pauses.pause(retryWaitMs(retry));
    }
  }

  async #call(method: string, path: string, body: Json): Promise<HttpAnswer> {
    const url = `${this.#search.cluster.origin}${path}`;
    try {
      return await (await this.#client).call({ method, url, body: writeJson(body), timeoutMs: CALL_MS_MAX });
    } catch (error) {
      const { reason } = asShoalError(error);
      throw new ShoalError('i_o_exception', 500, `[${url}] did not answer: ${reason ?? ''}`);
    }
  }

  #page(answer: Uint8Array): HitPage {
    const parts = membersOf(answer);
    const scrollId = memberValue(parts, '_scroll_id');
    if (typeof scrollId === 'string') this.#scrollId = scrollId;
    const hits = membersOf(parts.get('hits'));
    const total = memberValue(hits, 'total');
    const list = hits.get('hits');
    if (list === undefined || this.#scrollId === null) throw unreadable('it has no [hits] or no [_scroll_id]');
    const shards = memberValue(parts, '_shards');
    const failures = isObject(shards) && Array.isArray(shards.failures) ? shards.failures : [];
    return {
      total: Number(isObject(total) ? total.value : (total ?? 0)),
      hits: readAll(() => jsonItems(list)).map(hitOf),
      timedOut: memberValue(parts, 'timed_out') === true,
      failures: failures.filter(isObject).map(failureOf),
    };
  }
}

function hitOf(text: Uint8Array): SourceHit {
  const members = membersOf(text);
  const [index, id, routing, version] = ['_index', '_id', '_routing', '_version'].map((name) =>
    memberValue(members, name),
  );
  if (typeof index !== 'string' || typeof id !== 'string') throw unreadable('a hit has no [_index] or no [_id]');
  return {
    index,
    id,
    routing: typeof routing === 'string' ? routing : null,
    version: typeof version === 'number' ? version : 1,
    seqNo: null,
    primaryTerm: null,
    source: members.get('_source') ?? null,
  };
}

function failureOf({ index, shard, node, status, reason }: Json): HitFailure {
  const cause = isObject(reason) ? reason : {};
  const code = typeof status === 'number' ? status : 500;
  return {
    index: typeof index === 'string' ? index : null,
    shard: typeof shard === 'number' ? shard : null,
    nodeId: typeof node === 'string' ? node : null,
    error: new ShoalError(String(cause.type ?? 'exception'), code, String(cause.reason ?? reason ?? '')),
  };
}

function remoteError({ status, body }: HttpAnswer): ShoalError {
  const text = new TextDecoder().decode(body.subarray(0, SHOWN_BODY_MAX));
  return new ShoalError('status_exception', status, text === '' ? 'No error body.' : `body=${text}`);
}

function membersOf(text: Uint8Array | undefined): ReadonlyMap<string, Uint8Array> {
  if (text === undefined) throw unreadable('it has no [hits]');
  return new Map(readAll(() => jsonMembers(text)).map(({ name, value }) => [name, value]));
}

function memberValue(members: ReadonlyMap<string, Uint8Array>, name: string): unknown {
  const text = members.get(name);
  return text === undefined ? undefined : readAll(() => parseJson(text));
}

/** What the other cluster sent is its failure, not the user's. */
function readAll<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw unreadable(error.reason ?? '');
  }
}

function unreadable(why: string): ShoalError {
  return new ShoalError(
    'exception',
    500,
    `Error parsing the response, remote is likely not an Elasticsearch instance: ${why}`,
  );
}
