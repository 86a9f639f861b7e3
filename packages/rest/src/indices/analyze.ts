/**
 * `_analyze`: asks a data node, since analyzers live where shards do, and renders what it says.
 */
import { checkBlock } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { type CoordinatorContext, METADATA_INDICES_OPTIONS, resolveIndexNames } from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { ANALYZE, type AnalysisComponent, type AnalyzeRequest } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { bodyObject, checkKeys, flagAt, isJsonObject, type JsonObject, textAt, textsAt } from '../request/json-body.ts';
import { analyzeBody } from './analyze-body.ts';

const KEYS: readonly string[] = [
  ...['analyzer', 'attributes', 'char_filter', 'explain', 'field', 'filter', 'index', 'normalizer', 'text'],
  'tokenizer',
];
const ANALYZE_TIMEOUT_MS = 30_000;

export const analyzeApi: RestApi = {
  usageName: 'analyze_action',
  methods: ['GET', 'POST'],
  paths: ['/_analyze', '/{index}/_analyze'],
  privilege: 'indices:admin/analyze',
  task: null,
  params: { index: 'string' },
  body: 'json',
  handler: analyze,
};

async function analyze(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = bodyObject(request);
  checkKeys(
    body,
    KEYS,
    (key) => `Unknown parameter [${key}] in request body or parameter is of the wrong type[VALUE_STRING] `,
  );
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const index = concreteIndex(state, request.params.string('index') ?? textAt(body, 'index'), context);
  const message = analyzeRequest(body, index);
  const options = { channel: 'reg', timeoutMs: ANALYZE_TIMEOUT_MS } as const;
  const response = await context.cluster.send(pickNode(state, context).id, ANALYZE, message, options);
  return valueResponse(analyzeBody(response.body, message.attributes));
}

function analyzeRequest(body: JsonObject, index: string | null): AnalyzeRequest {
  const text = textsAt(body, 'text');
  const { tokenizer = null } = body;
  const request: AnalyzeRequest = {
    index,
    analyzer: textAt(body, 'analyzer'),
    normalizer: textAt(body, 'normalizer'),
    field: textAt(body, 'field'),
    tokenizer: tokenizer === null ? null : component(tokenizer, 'tokenizer'),
    filters: components(body, 'filter'),
    charFilters: components(body, 'char_filter'),
    text,
    explain: flagAt(body, 'explain') ?? false,
    attributes: textsAt(body, 'attributes'),
  };
  const problems = problemsOf(request);
  if (problems.length === 0) return request;
  const listed = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
  throw new ShoalError('action_request_validation_exception', 400, `Validation Failed: ${listed}`);
}

/** What does not go together, each in the words of Elasticsearch. */
function problemsOf(request: AnalyzeRequest): readonly string[] {
  const { text, index, normalizer, analyzer, tokenizer, filters, charFilters } = request;
  const hasFilters = filters.length > 0 || charFilters.length > 0;
  const problems: string[] = [];
  if (text.length === 0) problems.push('text is missing');
  if (normalizer !== null) {
    if (index === null) problems.push('index is required if normalizer is specified');
    if (tokenizer !== null || analyzer !== null) {
      problems.push('tokenizer/analyze should be null if normalizer is specified');
    }
  }
  if (analyzer !== null && (tokenizer !== null || hasFilters)) {
    problems.push('cannot define extra components on a named analyzer');
  }
  if (normalizer !== null && hasFilters) problems.push('cannot define extra components on a named normalizer');
  return problems;
}

function components(body: JsonObject, key: string): readonly AnalysisComponent[] {
  const value = body[key] ?? [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => component(item, key));
}

function component(value: unknown, key: string): AnalysisComponent {
  if (typeof value === 'string' || isJsonObject(value)) return value;
  throw illegalArgument(`[${key}] should be either a name or a definition`);
}

function concreteIndex(state: ClusterState, expression: string | null, context: CoordinatorContext): string | null {
  if (expression === null) return null;
  const names = resolveIndexNames(state, expression, METADATA_INDICES_OPTIONS, context.runtime.clock.wallMs());
  const [only] = names;
  if (only === undefined || names.length > 1) {
    throw illegalArgument(`[${expression}] must name one index, not [${names.join(', ')}]`);
  }
  return only;
}

/** This node when it holds data, else any data node: all know the same analyzers. */
function pickNode(state: ClusterState, context: CoordinatorContext): DiscoveryNode {
  const nodes = [...state.nodes.values()].filter((node) => node.roles.includes('data'));
  const chosen =
    nodes.find((node) => node.id === context.cluster.localNode.id) ??
    nodes[context.runtime.random.below(Math.max(1, nodes.length))];
  if (chosen === undefined) {
    throw new ShoalError('no_shard_available_action_exception', 503, 'no data node is there to analyze text');
  }
  return chosen;
}
