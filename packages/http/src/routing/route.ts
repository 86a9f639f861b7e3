/**
 * Routes as data: which methods and paths, which parameters with which types, and the function that answers.
 *
 * Nothing here knows a framework: the same table serves Express, node:http and tests without a socket.
 */
import type { HttpMethod, HttpRequest, HttpResponse } from '../message/http-message.ts';

/** A list names the words allowed. `list` is comma-separated; `time` is a duration such as `30s`; `long` a safe integer. */
export type ParameterType = 'boolean' | 'integer' | 'long' | 'number' | 'time' | 'string' | 'list' | readonly string[];

export type ParameterDeclarations = Readonly<Record<string, ParameterType>>;

export interface Route<Context> {
  readonly methods: readonly HttpMethod[];
  /** Templates such as `/{index}/_search`. A name in braces is a whole segment, and may be given in the query as well. */
  readonly paths: readonly string[];
  /** Words that no template of these paths takes: what they name is not there, not a thing of that name. */
  readonly except?: readonly string[];
  /** Query parameters besides those that every route has. */
  readonly params?: ParameterDeclarations;
  /** What a body may be; a request with another one is refused. Default `none`. */
  readonly body?: 'none' | 'json' | 'ndjson';
  /** Asked so often that a framework around it would cost more than it: answered straight from node:http. */
  readonly isHot?: boolean;
  /** Indented unless `?pretty=false`. */
  readonly prettyByDefault?: boolean;
  readonly handler: (request: HttpRequest, context: Context) => Promise<HttpResponse>;
}

/** Parameters that every route takes. */
export const COMMON_PARAMETERS: ParameterDeclarations = {
  pretty: 'boolean',
  human: 'boolean',
  error_trace: 'boolean',
  format: 'string',
  filter_path: 'list',
};

/** Parameters of routes with a body: the body may stand in the query, for clients that cannot send one with GET. */
export const BODY_PARAMETERS: ParameterDeclarations = { source: 'string', source_content_type: 'string' };
