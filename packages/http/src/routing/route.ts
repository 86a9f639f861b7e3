/**
 * Routes as data: which methods and paths, which parameters with which types, and the function that answers.
 *
 * Nothing here knows a framework: the same table serves Express, node:http and tests without a socket.
 */
import type { HttpMethod, HttpRequest, HttpResponse } from '../message/http-message.ts';
import type { ParameterDeclarations } from '../parameters/parameter-declaration.ts';

export interface Route<Context> {
  readonly methods: readonly HttpMethod[];
  /** Templates such as `/{index}/_search`. A name in braces is a whole segment, and may be given in the query as well. */
  readonly paths: readonly string[];
  /** Words that no template of these paths takes: the path then does not exist, rather than naming a thing of that name. */
  readonly except?: readonly string[];
  /** Query parameters besides those that every route has. */
  readonly params?: ParameterDeclarations;
  /** Format of the body; a request with another one is refused. Default `none`. */
  readonly body?: 'none' | 'json' | 'ndjson';
  /** True when the function takes its body in pieces of whole lines, which it drops when it has read them. */
  readonly inPieces?: boolean;
  /**
   * True for requests that change something: a body in the query then counts only beside a JSON `Content-Type` header, which no
   * page of another site can send without having asked (`http.cors.*`).
   */
  readonly isWriting?: boolean;
  /** True for requests so frequent that a framework around them would cost more than their answer: they go past it. */
  readonly isHot?: boolean;
  /** True when JSON is indented unless `?pretty=false`. */
  readonly prettyByDefault?: boolean;
  readonly handler: (request: HttpRequest, context: Context) => Promise<HttpResponse>;
}
