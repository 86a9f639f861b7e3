/**
 * `_rank_eval`: how well searches order documents that somebody rated.
 */
import {
  type CoordinatorContext,
  executeSearch,
  PLAIN_SEARCH,
  READ_INDICES_OPTIONS,
  type SearchInput,
  type SearchOutcome,
  withFetchedParts,
} from '@shoal/coordinator';
import {
  assert,
  DoubleNumber,
  illegalArgument,
  isShoalError,
  jsonNodeValue,
  RawJson,
  renderErrorBody,
  writeJson,
} from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { type ParsedSearch, parseSearch } from '@shoal/query';
import { renderTemplate } from '@shoal/script';
import { HitsJson } from '@shoal/shard-api';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { sharesStatisticsOf } from '../search-parameters.ts';
import { searchBody, storedTemplate } from '../templates/rendered-search.ts';
import {
  parseRankEvaluation,
  type RankEvaluation,
  type RatedRequest,
  type RatedSearch,
  refusedSearch,
} from './parse-rank-eval.ts';
import type { RankMetric } from './rank-metrics.ts';

export const rankEvalApi: RestApi = {
  usageName: 'rank_eval_action',
  methods: ['GET', 'POST'],
  paths: ['/_rank_eval', '/{index}/_rank_eval'],
  privilege: 'indices:data/read/rank_eval',
  task: { action: 'indices:data/read/rank_eval', isCancellable: true },
  body: 'json',
  params: { ...INDICES_OPTIONS_PARAMETERS, search_type: 'string' },
  handler: rankEval,
};

type Json = Readonly<Record<string, unknown>>;

async function rankEval(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { requests, templates, metric, concurrency } = parseRankEvaluation(request.body);
  const inputs = requests
    .map((rated) => ({ ...rated, body: bodyOf(rated.search, templates, context), size: metric.size }))
    .map((rated) => inputOf(context, request, rated));
  const searches = await Promise.all(inputs);
  const details = new Map<string, Evaluated>();
  const failures = new Map<string, Json>();
  const waiting = requests.entries();
  const drain = async (): Promise<void> => {
    for (const [i, rated] of waiting) {
      const input = searches[i];
      if (input === undefined) continue;
      try {
        details.set(rated.id, evaluated(rated, await executeSearch(context, input), metric));
      } catch (error) {
        if (!isShoalError(error)) throw error;
        failures.set(rated.id, { error: renderErrorBody(error).error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, drain));
  const scores = [...details.values()].map(({ score }) => score);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return valueResponse({
    metric_score: scores.length === 0 ? 'NaN' : new DoubleNumber(mean),
    details: new Map(requests.flatMap(({ id }) => (details.has(id) ? [[id, details.get(id)?.shown] as const] : []))),
    failures,
  });
}

/** Body of the search of a request. @throws what is wrong with its template */
function bodyOf(search: RatedSearch, templates: RankEvaluation['templates'], context: CoordinatorContext): Uint8Array {
  if (search.kind === 'body') return writeJson(jsonNodeValue(search.body));
  const template = templates.get(search.id);
  assert(template !== undefined, `template ${search.id} was not checked`);
  const { id } = template;
  const source = id === null ? template : storedTemplate(id, context);
  return searchBody(renderTemplate(source, search.params));
}

/** The search of a request: only as many hits as the metric looks at, and no more of each than is shown. */
async function inputOf(
  context: CoordinatorContext,
  request: HttpRequest,
  rated: RatedRequest & { readonly body: Uint8Array; readonly size: number },
): Promise<SearchInput> {
  const { params, signal } = request;
  const { body: plain, size } = rated;
  const where = {
    expression: params.string('index'),
    indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS),
  };
  const body = (await withFetchedParts(context, plain, where)) ?? plain;
  const parsed = await context.trees.read({ body, signal }, (tree) => parseSearch({ body, params: {} }, tree));
  const refusal = refusalOf(parsed);
  if (refusal !== null) {
    const cause = illegalArgument(refusal);
    throw rated.search.kind === 'template' ? cause : refusedSearch(rated, cause);
  }
  const { summaryFields: includes } = rated;
  const source = { enabled: includes.length > 0, includes, excludes: [] };
  return {
    ...PLAIN_SEARCH,
    ...where,
    body,
    parsed: { ...parsed, request: { ...parsed.request, size, source } },
    sharesStatistics: sharesStatisticsOf(params),
    signal,
  };
}

/** What is said of parts of a search that no metric looks at; null without any. */
function refusalOf({ request, aggregations }: ParsedSearch): string | null {
  if (aggregations !== null) return 'Query in rated requests should not contain aggregations.';
  if (request.suggest.length > 0) return 'Query in rated requests should not contain a suggest section.';
  if (request.highlight !== null) return 'Query in rated requests should not contain a highlighter section.';
  if (request.isExplained) return 'Query in rated requests should not use explain.';
  return request.isProfiled ? 'Query in rated requests should not use profile.' : null;
}

interface Evaluated {
  readonly score: number;
  readonly shown: Json;
}

function evaluated({ ratings }: RatedRequest, { request, hits }: SearchOutcome, metric: RankMetric): Evaluated {
  const byDocument = new Map(ratings.map(({ index, id, rating }) => [keyOf(index, id), rating]));
  const rated = hits.map((hit) => ({ hit, rating: byDocument.get(keyOf(hit.index, hit.hit.id)) ?? null }));
  const { score, details } = metric.evaluate(
    rated.map(({ rating }) => rating),
    ratings.map(({ rating }) => rating),
  );
  const unrated = rated.filter(({ rating }) => rating === null);
  return {
    score,
    shown: {
      metric_score: new DoubleNumber(score),
      unrated_docs: unrated.map(({ hit }) => ({ _index: hit.index, _id: hit.hit.id })),
      hits: rated.map(({ hit, rating }) => {
        const json = new HitsJson(request);
        json.add(hit, null);
        const { bytes } = json.finish();
        // One hit without the brackets of its list.
        return { hit: new RawJson(bytes.subarray(1, bytes.length - 1)), rating };
      }),
      metric_details: { [metric.name]: details },
    },
  };
}

function keyOf(index: string, id: string): string {
  return `${index}\0${id}`;
}
