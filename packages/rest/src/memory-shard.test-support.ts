/**
 * A shard for the coordinator's tests: documents in a map, queries evaluated over them one by one. Slow, small, and its
 * own idea of scores: a term that occurs n times scores n.
 */
import { parseJson, ShoalError, versionConflict, writeJson } from '@shoal/core';
import {
  type BulkShardRequest,
  type BulkShardResponse,
  type FetchPhaseRequest,
  type FetchPhaseResponse,
  type GetDocumentsRequest,
  type GetDocumentsResponse,
  type QueryPhaseRequest,
  type QueryPhaseResponse,
  SearchCodec,
} from '@shoal/protocol';
import { type Query, type SearchRequest, searchRequest } from '@shoal/query';
import {
  type FetchedHit,
  filterSourceBytes,
  PackedResults,
  type ShardQueryResult,
  type SortColumn,
  type WriteOperation,
  type WriteResult,
} from '@shoal/shard-api';

type DoneResult = Extract<WriteResult, { kind: 'done' }>;

interface Stored extends FetchedHit {
  readonly values: Readonly<Record<string, unknown>>;
}

interface Match {
  readonly document: Stored;
  readonly ord: number;
  readonly score: number;
}

export class MemoryShard {
  readonly index: string;
  readonly number: number;
  readonly #documents = new Map<string, Stored>();
  readonly #contexts = new Map<number, readonly Match[]>();
  readonly #requests = new Map<number, SearchRequest>();
  readonly #searches = new SearchCodec();
  #seqNo = -1;
  #contextId = 0;
  /** What the next query answers with instead; null: as it should. */
  failQuery: ShoalError | null = null;
  failFetch: ShoalError | null = null;

  constructor(index: string, number: number) {
    this.index = index;
    this.number = number;
  }

  holds(id: string): boolean {
    return this.#documents.has(id);
  }

  get openContexts(): number {
    return this.#contexts.size;
  }

  bulk(request: BulkShardRequest): BulkShardResponse {
    return {
      results: PackedResults.of(Array.from(request.operations, (operation) => this.#write(operation))),
      shards: { total: 1, successful: 1, failed: 0 },
      forcedRefresh: request.refresh === 'immediate',
    };
  }

  get(request: GetDocumentsRequest): GetDocumentsResponse {
    return { documents: request.gets.map(({ id }) => this.#documents.get(id) ?? null) };
  }

  query(request: QueryPhaseRequest): QueryPhaseResponse {
    if (this.failQuery !== null) throw this.failQuery;
    const parsed = this.#searches.readSearch(request.query.search).request;
    const matches = [...this.#documents.values()]
      .map((document, ord) => ({ document, ord, score: scoreOf(parsed.query, document.values) }))
      .filter((match) => match.score > 0)
      .sort((a, b) => compare(parsed, a, b));
    const top = matches.slice(0, request.query.topN);
    const page = request.fetchPage;
    const contextId = top.length === 0 || page !== null ? null : ++this.#contextId;
    if (contextId !== null) {
      this.#contexts.set(contextId, top);
      this.#requests.set(contextId, parsed);
    }
    return {
      result: resultOf(parsed, matches, top, contextId),
      hits: page === null ? null : top.slice(page.from, page.from + page.size).map((m) => hitOf(parsed, m.document)),
    };
  }

  fetch(request: FetchPhaseRequest): FetchPhaseResponse {
    if (this.failFetch !== null) throw this.failFetch;
    const { contextId, ords, search } = request.fetch;
    const matches = this.#contexts.get(contextId);
    if (matches === undefined) throw new ShoalError('search_context_missing_exception', 404, `no ${contextId}`);
    const remembered = this.#requests.get(contextId) ?? searchRequest({});
    const parsed = search === null ? remembered : this.#searches.readSearch(search).request;
    this.#contexts.delete(contextId);
    const hits = [...ords].flatMap((ord) => matches.filter((match) => match.ord === ord));
    return { hits: hits.map((match) => hitOf(parsed, match.document)) };
  }

  openReader(): number {
    this.#contexts.set(++this.#contextId, []);
    return this.#contextId;
  }

  free(contextId: number): void {
    this.#contexts.delete(contextId);
  }

  #write(operation: WriteOperation): WriteResult {
    try {
      if (operation.kind === 'delete') return this.#delete(operation.id);
      if (operation.kind === 'index') return this.#index(operation);
      return this.#update(operation.id, operation.body);
    } catch (error) {
      if (error instanceof ShoalError) return { kind: 'failed', error };
      throw error;
    }
  }

  #index(operation: Extract<WriteOperation, { kind: 'index' }>): WriteResult {
    const present = this.#documents.get(operation.id);
    const { ifSeqNo, ifPrimaryTerm } = operation.conditions;
    if (operation.opType === 'create' && present !== undefined) {
      throw this.#conflict(
        `[${operation.id}]: version conflict, document already exists (current version [${present.version}])`,
      );
    }
    if (ifSeqNo !== null && present?.seqNo !== ifSeqNo) {
      throw this.#conflict(
        `[${operation.id}]: version conflict, required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm}]. ` +
          `current document has seqNo [${present?.seqNo}] and primary term [1]`,
      );
    }
    return this.#store(operation.id, operation.routing, operation.source);
  }

  #store(id: string, routing: string | null, source: Uint8Array): DoneResult {
    const fields = objectOf(source);
    if (typeof fields.n === 'string') {
      throw new ShoalError('mapper_parsing_exception', 400, `failed to parse field [n] in document with id '${id}'`);
    }
    const present = this.#documents.get(id);
    const version = (present?.version ?? 0) + 1;
    const seqNo = ++this.#seqNo;
    const own = new Uint8Array(source);
    this.#documents.set(id, {
      id,
      routing,
      version,
      seqNo,
      primaryTerm: 1,
      source: own,
      fields: null,
      highlight: null,
      matchedQueries: null,
      explanation: null,
      values: fields,
    });
    return done(present === undefined ? 'created' : 'updated', version, seqNo);
  }

  #delete(id: string): WriteResult {
    const present = this.#documents.get(id);
    this.#documents.delete(id);
    return done(present === undefined ? 'not_found' : 'deleted', (present?.version ?? 0) + 1, ++this.#seqNo);
  }

  #update(id: string, body: Uint8Array): WriteResult {
    const present = this.#documents.get(id);
    if (present === undefined) {
      throw new ShoalError('document_missing_exception', 404, `[${id}]: document missing`, {
        metadata: { index: this.index, shard: String(this.number), index_uuid: `uuid-${this.index}` },
      });
    }
    const request = objectOf(body);
    const merged = { ...present.values, ...(request.doc as Record<string, unknown>) };
    const wantsSource = request._source !== undefined && request._source !== false;
    if (JSON.stringify(merged) === JSON.stringify(present.values)) return done('noop', present.version, present.seqNo);
    const source = writeJson(merged);
    return { ...this.#store(id, present.routing, source), source: wantsSource ? source : null };
  }

  #conflict(reason: string): ShoalError {
    return versionConflict(reason, { index: this.index, indexUuid: `uuid-${this.index}`, shard: this.number });
  }
}

function objectOf(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJson(bytes);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ShoalError('mapper_parsing_exception', 400, 'failed to parse');
}

function done(result: DoneResult['result'], version: number, seqNo: number): DoneResult {
  return { kind: 'done', result, version, seqNo, primaryTerm: 1, source: null };
}

function scoreOf(query: Query, fields: Readonly<Record<string, unknown>>): number {
  switch (query.kind) {
    case 'matchAll':
      return 1;
    case 'match': {
      const words = String(fields[query.field] ?? '')
        .toLowerCase()
        .split(' ');
      const wanted = String(query.value).toLowerCase().split(' ');
      return words.filter((word) => wanted.includes(word)).length;
    }
    default:
      throw new ShoalError('query_shard_exception', 400, `no query [${query.kind}] here`);
  }
}

function compare(request: SearchRequest, a: Match, b: Match): number {
  for (const field of request.sort) {
    const [x, y] = [a.document.values[field.field] ?? 0, b.document.values[field.field] ?? 0] as [number, number];
    const order = x < y ? -1 : x > y ? 1 : 0;
    if (order !== 0) return field.order === 'desc' ? -order : order;
  }
  return (request.sort.length === 0 ? b.score - a.score : 0) || a.ord - b.ord;
}

function resultOf(
  request: SearchRequest,
  matches: readonly Match[],
  top: readonly Match[],
  contextId: number | null,
): ShardQueryResult {
  const value = Math.min(matches.length, request.trackTotalHits);
  const columns: SortColumn[] =
    request.sort.length === 0
      ? [{ kind: 'score', values: Float32Array.from(top, (match) => match.score) }]
      : request.sort.map((field) => ({
          kind: 'integer',
          values: Float64Array.from(top, (match) => Number(match.document.values[field.field] ?? 0)),
        }));
  const best = top.reduce((max, match) => Math.max(max, match.score), 0);
  return {
    contextId,
    total:
      request.trackTotalHits === 0
        ? null
        : { value, relation: matches.length > value ? ('gte' as const) : ('eq' as const) },
    maxScore: request.sort.length === 0 && top.length > 0 ? best : null,
    columns,
    scores: null,
    ords: Uint32Array.from(top, (match) => match.ord),
    timedOut: false,
    terminatedEarly: false,
    aggregations: null,
    groups: null,
    profile: null,
  };
}

function hitOf(request: SearchRequest, stored: Stored): FetchedHit {
  const { id, routing, version, seqNo, primaryTerm, source } = stored;
  const shown = source === null || !request.source.enabled ? null : filterSourceBytes(source, request.source);
  return {
    id,
    routing,
    version,
    seqNo,
    primaryTerm,
    source: shown,
    fields: null,
    highlight: null,
    matchedQueries: null,
    explanation: null,
  };
}
