/**
 * `ShoalClient` over anything that executes a request of the protocol: the same code for both clients.
 */

import type { ValueReader } from '@shoal/core';
import type { ClientRequest, ClientResponse } from '@shoal/protocol';
import {
  readBody,
  readBulkAnswer,
  readCountAnswer,
  readGetAnswer,
  readHealthAnswer,
  readSearchAnswer,
  readWriteAnswer,
} from './client-answers.ts';
import {
  bulkRequest,
  countRequest,
  deleteRequest,
  getRequest,
  healthRequest,
  indexRequest,
  searchRequest,
} from './client-requests.ts';
import type {
  BulkAnswer,
  BulkOptions,
  CountAnswer,
  CountOptions,
  DeleteOptions,
  GetAnswer,
  GetOptions,
  HealthAnswer,
  HealthOptions,
  IndexOptions,
  SearchAnswer,
  SearchOptions,
  ShoalClient,
  WriteAnswer,
} from './shoal-client.ts';

export abstract class TypedClient implements ShoalClient {
  protected abstract execute(request: ClientRequest): Promise<ClientResponse>;
  abstract close(): Promise<void>;

  index(options: IndexOptions): Promise<WriteAnswer> {
    return this.#ask(() => indexRequest(options), readWriteAnswer);
  }

  get(options: GetOptions): Promise<GetAnswer> {
    return this.#ask(() => getRequest(options), readGetAnswer);
  }

  delete(options: DeleteOptions): Promise<WriteAnswer> {
    return this.#ask(() => deleteRequest(options), readWriteAnswer);
  }

  bulk(options: BulkOptions): Promise<BulkAnswer> {
    return this.#ask(() => bulkRequest(options), readBulkAnswer);
  }

  count(options: CountOptions = {}): Promise<CountAnswer> {
    return this.#ask(() => countRequest(options), readCountAnswer);
  }

  search(options: SearchOptions = {}): Promise<SearchAnswer> {
    return this.#ask(() => searchRequest(options), readSearchAnswer);
  }

  clusterHealth(options: HealthOptions = {}): Promise<HealthAnswer> {
    return this.#ask(() => healthRequest(options), readHealthAnswer);
  }

  async #ask<T>(request: () => ClientRequest, read: (body: ValueReader) => T): Promise<T> {
    return read(readBody(await this.execute(request())));
  }
}
