/**
 * Client of a cluster over HTTP: any request by itself, and indices in the types of their mappings.
 *
 * It needs nothing but `fetch`. Numbers beyond 2^53 lose digits, as JSON does in JavaScript.
 */
import { type ClientOptions, HttpChannel, type RequestOptions } from './http-channel.ts';
import { IndexClient } from './index-client.ts';
import type { AnyIndex, IndexSchema } from './index-schema.ts';

export interface AnyRequest extends RequestOptions {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  /** Path with a `/` in front, and query. */
  readonly path: string;
  /** Sent as JSON; a list as lines of JSON. */
  readonly body?: object;
}

export class SearchClient {
  readonly #channel: HttpChannel;

  constructor(options: ClientOptions) {
    this.#channel = new HttpChannel(options);
  }

  /** @param name an index, an alias, or several with commas or wildcards, all of that schema */
  index<Schema extends IndexSchema = AnyIndex>(name: string): IndexClient<Schema> {
    return new IndexClient<Schema>(this.#channel, name);
  }

  /**
   * Any request of the API; its answer as it came.
   *
   * @throws ResponseError when the status is not 2xx
   */
  async request({ method = 'GET', ...request }: AnyRequest): Promise<unknown> {
    const { body } = await this.#channel.ask({ method, ...request });
    return body;
  }
}
