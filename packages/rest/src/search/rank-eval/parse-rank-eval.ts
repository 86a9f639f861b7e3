/**
 * The body of `_rank_eval`: searches with ratings of documents, and the metric that judges their hits.
 */
import {
  contentError,
  illegalArgument,
  type JsonLocation,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  ShoalError,
  tokenName,
  unknownMember,
} from '@shoal/core';
import {
  MUSTACHE,
  type PlainValue,
  parseScriptOf,
  plainValueOf,
  type TemplateParams,
  type TemplateSource,
} from '@shoal/script';
import { treeOfBody } from '../../request/json-body.ts';
import { type MetricType, RANK_METRICS, type RankMetric } from './rank-metrics.ts';

export interface RatedDocument {
  readonly index: string;
  readonly id: string;
  readonly rating: number;
}

/** Body of a search, or a template that makes one. */
export type RatedSearch =
  | { readonly kind: 'body'; readonly body: JsonObjectNode }
  | { readonly kind: 'template'; readonly id: string; readonly params: TemplateParams };

export interface RatedRequest {
  readonly id: string;
  readonly search: RatedSearch;
  readonly ratings: readonly RatedDocument[];
  /** Parts of the source that are shown with each hit. */
  readonly summaryFields: readonly string[];
  /** Where the request ends in the body. */
  readonly end: JsonLocation;
}

export interface RankEvaluation {
  readonly requests: readonly RatedRequest[];
  /** Templates by the ids under which searches name them. */
  readonly templates: ReadonlyMap<string, TemplateSource>;
  readonly metric: RankMetric;
  /** Searches that run at a time. */
  readonly concurrency: number;
}

const CONCURRENCY_DEFAULT = 10;
const CONCURRENCY_MAX = 100;
const REQUESTS_MAX = 10_000;
/** Name of the reader of templates, in errors. */
const SCRIPT_WITH_ID = 'script_with_id';
const RATING_MAX = 2 ** 31 - 1;

/** @throws x_content_parse_exception, illegal_argument_exception, parse_exception */
export function parseRankEvaluation(body: Uint8Array | null): RankEvaluation {
  const root = treeOfBody(body);
  if (root === null) throw new ShoalError('parse_exception', 400, 'request body or source parameter is required');
  if (root.kind !== 'object')
    throw contentError(root.at, `[rank_eval] Expected START_OBJECT but was: ${tokenName(root)}`);
  let requests: readonly RatedRequest[] | null = null;
  let templates: RankEvaluation['templates'] = new Map();
  let metric: RankMetric | null = null;
  let concurrency = CONCURRENCY_DEFAULT;
  for (const member of root.members) {
    const { name, value } = member;
    if (name === 'requests') requests = readRequests(member);
    else if (name === 'metric') metric = within('rank_eval', member, () => readMetric(value), metricPlace(value));
    else if (name === 'max_concurrent_searches') concurrency = within('rank_eval', member, () => integer(value));
    else if (name === 'templates') templates = within('rank_eval', member, () => readTemplates(value));
    else throw unknownField('rank_eval', member);
  }
  if (requests === null) throw illegalArgument('Required [requests]');
  if (metric === null) throw illegalArgument('Required [metric]');
  if (concurrency < 1) throw illegalArgument('maxConcurrentSearchRequests must be positive');
  if (requests.length === 0) {
    throw notBuilt(
      'rank_eval',
      illegalArgument('Cannot evaluate ranking if no search requests with rated results are provided. Seen: []'),
    );
  }
  if (requests.length > REQUESTS_MAX) throw illegalArgument(`_rank_eval takes at most [${REQUESTS_MAX}] requests`);
  checkTemplates(requests, templates);
  return { requests, templates, metric, concurrency: Math.min(concurrency, CONCURRENCY_MAX) };
}

/** Without a template nothing can be searched for by the id of one. */
function checkTemplates(requests: readonly RatedRequest[], templates: RankEvaluation['templates']): void {
  for (const { id, search } of requests) {
    if (search.kind === 'body' || templates.has(search.id)) continue;
    const reason =
      templates.size === 0
        ? `Cannot evaluate ranking if neither template nor evaluation request is provided. Seen for request id: ${id}`
        : `there is no template [${search.id}] for the request [${id}]`;
    throw notBuilt('rank_eval', new ShoalError('illegal_state_exception', 400, reason));
  }
}

/** Scripts with the ids that searches name them by. */
function readTemplates(node: JsonNode): Map<string, TemplateSource> {
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > REQUESTS_MAX) throw illegalArgument(`_rank_eval takes at most [${REQUESTS_MAX}] templates`);
  return new Map(items.map(readTemplate));
}

function readTemplate(node: JsonNode): readonly [string, TemplateSource] {
  let id: string | null = null;
  let template: TemplateSource | null = null;
  for (const member of objectOf(node, SCRIPT_WITH_ID).members) {
    const { name, value } = member;
    if (name === 'id') id = within(SCRIPT_WITH_ID, member, () => textOf(value));
    else if (name === 'template') template = scriptOf(value);
    else throw unknownField(SCRIPT_WITH_ID, member);
  }
  if (id === null) throw illegalArgument('Required [id]');
  if (template === null) throw illegalArgument('Required [template]');
  return [id, template];
}

function scriptOf(node: JsonNode): TemplateSource {
  if (node.kind !== 'object') {
    throw contentError(node.at, `[${SCRIPT_WITH_ID}] template doesn't support values of type: ${tokenName(node)}`);
  }
  // Parameters of the script count for nothing: each request brings its own.
  const { params: _, ...template } = parseScriptOf(node, MUSTACHE);
  return template;
}

function readRequests(member: JsonMember): readonly RatedRequest[] {
  const items = within('rank_eval', member, () => itemsOf(member.value, 'requests'));
  return items.map((item) => within('rank_eval', member, () => readRequest(item), endOf(item)));
}

/** What is wrong with the search of a request. */
export function refusedSearch({ end }: RatedRequest, cause: ShoalError): ShoalError {
  return contentError(end, '[rank_eval] failed to parse field [requests]', notBuilt('request', cause));
}

/** Where the reader of a metric ends: behind its members, or at a name that is none. */
function metricPlace(node: JsonNode): JsonLocation {
  const member = node.kind === 'object' ? node.members[0] : undefined;
  if (member === undefined) return endOf(node);
  return RANK_METRICS.has(member.name) ? endOf(member.value) : member.at;
}

function readRequest(node: JsonNode): RatedRequest {
  const object = objectOf(node, 'request');
  let id: string | null = null;
  let body: JsonObjectNode | null = null;
  let template: string | null = null;
  let params: TemplateParams = new Map();
  let ratings: readonly RatedDocument[] | null = null;
  let summaryFields: readonly string[] = [];
  for (const member of object.members) {
    const { name, value } = member;
    if (name === 'id') id = within('request', member, () => textOf(value));
    else if (name === 'request') body = within('request', member, () => objectOf(value, 'request'));
    else if (name === 'ratings') ratings = within('request', member, () => itemsOf(value, name).map(readRating));
    else if (name === 'summary_fields')
      summaryFields = within('request', member, () => itemsOf(value, name).map(textOf));
    else if (name === 'template_id') template = within('request', member, () => textOf(value));
    else if (name === 'params') params = within('request', member, () => paramsOf(value));
    else throw unknownField('request', member);
  }
  if (id === null) throw illegalArgument('Required [id]');
  if (ratings === null) throw illegalArgument('Required [ratings]');
  checkUnique(id, ratings);
  return { id, search: searchOf(body, template, params), ratings, summaryFields, end: object.end };
}

function searchOf(body: JsonObjectNode | null, template: string | null, params: TemplateParams): RatedSearch {
  if (body !== null && (params.size > 0 || template !== null)) {
    const also = params.size > 0 ? 'parameters' : 'id';
    throw notBuilt(
      'request',
      illegalArgument(`Ambiguous rated request: Set both, verbatim test request and test request template ${also}.`),
    );
  }
  if (body !== null) return { kind: 'body', body };
  if (template !== null && params.size > 0) return { kind: 'template', id: template, params };
  const reason = 'Need to set at least test request or test request template parameters.';
  throw notBuilt('request', illegalArgument(reason));
}

function paramsOf(node: JsonNode): TemplateParams {
  return new Map<string, PlainValue>(
    objectOf(node, 'params').members.map(({ name, value }) => [name, plainValueOf(value)]),
  );
}

function checkUnique(id: string, ratings: readonly RatedDocument[]): void {
  const seen = new Set<string>();
  for (const { index, id: document } of ratings) {
    const key = JSON.stringify({ _index: index, _id: document });
    if (seen.has(key)) {
      const reason = `Found duplicate rated document key [${key}] in evaluation request [${id}]`;
      throw notBuilt('request', illegalArgument(reason));
    }
    seen.add(key);
  }
}

function readRating(node: JsonNode): RatedDocument {
  const object = objectOf(node, 'rated_document');
  let index: string | null = null;
  let id: string | null = null;
  let rating: number | null = null;
  for (const member of object.members) {
    const { name, value } = member;
    if (name === '_index') index = within('rated_document', member, () => textOf(value));
    else if (name === '_id') id = within('rated_document', member, () => textOf(value));
    else if (name === 'rating') rating = within('rated_document', member, () => integer(value));
    else throw unknownField('rated_document', member);
  }
  if (index === null) throw illegalArgument('Required [_index]');
  if (id === null) throw illegalArgument('Required [_id]');
  if (rating === null) throw illegalArgument('Required [rating]');
  return { index, id, rating };
}

/** One metric by its name. */
function readMetric(node: JsonNode): RankMetric {
  const [member, ...others] = objectOf(node, 'metric').members;
  if (member === undefined || others.length > 0) throw contentError(node.at, '[metric] expected one metric');
  const type = RANK_METRICS.get(member.name);
  if (type === undefined) {
    const { line, col } = member.at;
    throw new ShoalError('named_object_not_found_exception', 400, `[${line}:${col}] unknown field [${member.name}]`);
  }
  const given = metricMembers(member, type);
  try {
    return type.create((name) => given.get(name) ?? null);
  } catch (error) {
    if (!(error instanceof ShoalError) || error.reason?.startsWith('Required') === true) throw error;
    throw notBuilt(member.name, error);
  }
}

function metricMembers(
  { name: metric, value: node }: JsonMember,
  { numbers, flags }: MetricType,
): Map<string, number | boolean> {
  const given = new Map<string, number | boolean>();
  for (const member of objectOf(node, metric).members) {
    const { name, value } = member;
    if (numbers.includes(name))
      given.set(
        name,
        within(metric, member, () => integer(value)),
      );
    else if (flags.includes(name))
      given.set(
        name,
        within(metric, member, () => flag(value)),
      );
    else throw unknownField(metric, member);
  }
  return given;
}

/** What goes wrong in a member is told of the object that it stands in. */
function within<T>(parser: string, { name, value }: JsonMember, read: () => T, place: JsonLocation = endOf(value)): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShoalError)) throw error;
    throw contentError(place, `[${parser}] failed to parse field [${name}]`, error);
  }
}

function notBuilt(parser: string, cause: ShoalError): ShoalError {
  const reason = `Failed to build [${parser}] after last required field arrived`;
  return new ShoalError('x_content_parse_exception', 400, reason, { causedBy: cause });
}

function unknownField(parser: string, member: JsonMember): ShoalError {
  return unknownMember(parser, member);
}

function endOf(node: JsonNode): JsonLocation {
  return 'end' in node ? node.end : node.at;
}

function objectOf(node: JsonNode, parser: string): JsonObjectNode {
  if (node.kind === 'object') return node;
  throw contentError(node.at, `[${parser}] Expected START_OBJECT but was: ${tokenName(node)}`);
}

function itemsOf(node: JsonNode, name: string): readonly JsonNode[] {
  if (node.kind === 'array') return node.items;
  throw illegalArgument(`[${name}] must be a list, found [${tokenName(node)}]`);
}

function textOf(node: JsonNode): string {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  throw illegalArgument(`a text is wanted, found [${tokenName(node)}]`);
}

function integer(node: JsonNode): number {
  const text = textOf(node);
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(value) <= RATING_MAX) return value;
  throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

function flag(node: JsonNode): boolean {
  if (node.kind === 'boolean') return node.value;
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false')) return node.value === 'true';
  throw illegalArgument(`a flag is wanted, found [${tokenName(node)}]`);
}
