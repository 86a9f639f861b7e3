/**
 * One index as a program asks it: documents and searches in the types of its mapping.
 */
import {
  type BulkAnswer,
  type BulkOperation,
  type BulkOptions,
  bulkLines,
  type GetAnswer,
  type GetOptions,
  type IndexOptions,
  type UpdateBody,
  type UpdateOptions,
  type WriteAnswer,
  type WriteOptions,
} from './document-requests.ts';
import type { ShardCounts } from './hits.ts';
import type { HttpChannel, RequestOptions } from './http-channel.ts';
import type { IndexSchema } from './index-schema.ts';
import { ResponseError } from './response-error.ts';
import type { SearchAnswer } from './search-answer.ts';
import type { SourceFilter } from './search-parts.ts';
import type { SearchMembers, SearchRequest } from './search-request.ts';
import type { Aggregations } from './typed-aggregations.ts';
import type { Query } from './typed-query.ts';

export interface SearchOptions extends RequestOptions {
  readonly routing?: string;
  readonly preference?: string;
  readonly search_type?: 'query_then_fetch' | 'dfs_query_then_fetch';
  readonly request_cache?: boolean;
  readonly allow_partial_search_results?: boolean;
}

export interface CountAnswer {
  readonly count: number;
  readonly _shards: ShardCounts;
}

/** Body of one search of many, whose aggregations' answers are not told apart. */
export type ListedSearch<Schema extends IndexSchema> = SearchMembers<Schema> & {
  readonly aggs?: Aggregations<Schema>;
  readonly _source?: SourceFilter<Schema>;
};

/** Answer of one search of many: aggregations by name, to be looked into. */
export type ListedAnswer<Schema extends IndexSchema> =
  | (Omit<SearchAnswer<Schema>, 'aggregations'> & {
      readonly status: number;
      readonly aggregations?: Readonly<Record<string, unknown>>;
    })
  | { readonly status: number; readonly error: { readonly type: string; readonly reason: string | null } };

const NOT_FOUND = 404;

export class IndexClient<Schema extends IndexSchema> {
  readonly name: string;
  readonly #channel: HttpChannel;
  readonly #path: string;

  constructor(channel: HttpChannel, name: string) {
    if (name === '') throw new TypeError('the name of an index is not empty: it would be a request to all of them');
    this.name = name;
    this.#channel = channel;
    this.#path = `/${encodeURIComponent(name)}`;
  }

  async search<
    const Asked extends Aggregations<Schema> = Record<never, never>,
    const Source extends SourceFilter<Schema> = true,
  >(
    request: SearchRequest<Schema, Asked, Source> = {},
    { signal, ...params }: SearchOptions = {},
  ): Promise<SearchAnswer<Schema, Asked, Source>> {
    return this.#ask({ method: 'POST', path: '/_search', params: { ...params }, body: request, signal });
  }

  /** Searches in one request; each fails or is answered by itself. */
  async msearch(
    searches: readonly ListedSearch<Schema>[],
    { signal, ...header }: SearchOptions = {},
  ): Promise<readonly ListedAnswer<Schema>[]> {
    const body = searches.flatMap((search) => [header, search]);
    const answer = await this.#ask<{ readonly responses: readonly ListedAnswer<Schema>[] }>({
      ...{ method: 'POST', path: '/_msearch', params: {}, body, signal },
    });
    return answer.responses;
  }

  async count(
    request: { readonly query?: Query<Schema> } = {},
    { signal, ...params }: RequestOptions & { readonly routing?: string; readonly preference?: string } = {},
  ): Promise<CountAnswer> {
    return this.#ask({ method: 'POST', path: '/_count', params: { ...params }, body: request, signal });
  }

  /** The document, or `found: false`; an index that is not there is an error. */
  async get(id: string, { signal, ...params }: GetOptions = {}): Promise<GetAnswer<Schema['document']>> {
    return this.#found({ method: 'GET', path: documentPath(id), params: { ...params }, signal }, 'found');
  }

  async index(document: Schema['document'], options: IndexOptions = {}): Promise<WriteAnswer> {
    const { id, signal, ...params } = options;
    const target =
      id === undefined
        ? ({ method: 'POST', path: '/_doc' } as const)
        : ({ method: 'PUT', path: documentPath(id) } as const);
    return this.#ask({ ...target, params: { ...params }, body: document, signal });
  }

  /** @throws ResponseError 409 when the id is there */
  async create(
    id: string,
    document: Schema['document'],
    options: Omit<IndexOptions, 'id' | 'op_type'> = {},
  ): Promise<WriteAnswer> {
    return this.index(document, { ...options, id, op_type: 'create' });
  }

  async update(id: string, body: UpdateBody<Schema>, { signal, ...params }: UpdateOptions = {}): Promise<WriteAnswer> {
    return this.#ask({ method: 'POST', path: `/_update/${named(id)}`, params: { ...params }, body, signal });
  }

  /** A document that is not there is answered with `result: 'not_found'`. */
  async delete(id: string, { signal, ...params }: WriteOptions = {}): Promise<WriteAnswer> {
    return this.#found({ method: 'DELETE', path: documentPath(id), params: { ...params }, signal }, 'result');
  }

  async bulk(
    operations: readonly BulkOperation<Schema>[],
    { signal, ...params }: BulkOptions = {},
  ): Promise<BulkAnswer> {
    return this.#ask({ method: 'POST', path: '/_bulk', params: { ...params }, body: bulkLines(operations), signal });
  }

  async deleteByQuery(
    request: { readonly query: Query<Schema> },
    {
      signal,
      ...params
    }: RequestOptions & { readonly refresh?: boolean; readonly conflicts?: 'abort' | 'proceed' } = {},
  ): Promise<{ readonly deleted: number; readonly total: number; readonly failures: readonly unknown[] }> {
    return this.#ask({ method: 'POST', path: '/_delete_by_query', params: { ...params }, body: request, signal });
  }

  /** Makes every write so far visible to searches. */
  async refresh(options: RequestOptions = {}): Promise<void> {
    await this.#ask({ method: 'POST', path: '/_refresh', params: {}, signal: options.signal });
  }

  async #ask<Answer>(request: IndexRequest): Promise<Answer> {
    const { body } = await this.#channel.ask(this.#whole(request));
    // What the API answers to this request; its parts are what the types say.
    return body as Answer;
  }

  /** An answer that may say that a document is not there, which has a member that an error lacks. */
  async #found<Answer>(request: IndexRequest, member: string): Promise<Answer> {
    const whole = this.#whole(request);
    const { status, body } = await this.#channel.ask({ ...whole, accepts: [NOT_FOUND] });
    const isAnswer = typeof body === 'object' && body !== null && member in body;
    if (status === NOT_FOUND && !isAnswer) throw new ResponseError(`${whole.method} ${whole.path}`, status, body);
    return body as Answer;
  }

  #whole({ method, path, params, body, signal }: IndexRequest) {
    return {
      method,
      path: this.#path + path,
      params,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
  }
}

interface IndexRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below that of the index. */
  readonly path: string;
  readonly params: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  readonly signal: AbortSignal | undefined;
}

function documentPath(id: string): string {
  return `/_doc/${named(id)}`;
}

/** An empty id would make another request of it. */
function named(id: string): string {
  if (id === '') throw new TypeError('the id of a document is not empty');
  return encodeURIComponent(id);
}
