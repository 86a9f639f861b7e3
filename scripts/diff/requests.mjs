/**
 * Requests of every class: searches by kind of query and of aggregation, and the APIs around them.
 */
import { AGGREGATION_KINDS, drawAggregations } from './aggregations.mjs';
import { drawAnalysis } from './analyses.mjs';
import { drawQuery, QUERY_KINDS, queryOfKind } from './compound-queries.mjs';
import { drawRead } from './document-reads.mjs';
import { Draw } from './draw.mjs';
import { drawOrder, drawShown } from './hit-options.mjs';
import { drawSimulation } from './ingest-simulations.mjs';
import { drawProgram } from './painless-programs.mjs';
import { drawTemplate } from './search-templates.mjs';
import { drawSort } from './sorts.mjs';
import { spoil } from './spoil.mjs';
import { drawSuggest } from './suggesters.mjs';

const DEEPEST = 2;
/** Distance between the seeds of neighbouring requests, so that each can be made alone. */
const SEED_STEP = 7919;

const post = (r, api, body, parameters = '') => ({
  method: 'POST',
  path: `/${r.target.index}/${api}${parameters}`,
  body,
});

function querySearch(r) {
  const kind = r.pick(QUERY_KINDS);
  const query = queryOfKind(r, kind, DEEPEST);
  const order = r.chance(0.5) ? drawOrder(r) : {};
  return {
    class: `query ${kind}`,
    ...post(r, '_search', { query, ...order, ...(r.chance(0.35) ? drawShown(r) : { _source: false }) }),
  };
}

function sortedSearch(r) {
  const body = {
    ...(r.chance(0.7) ? { query: drawQuery(r, 1) } : {}),
    ...drawOrder(r),
    sort: drawSort(r),
    _source: false,
  };
  delete body.search_after;
  delete body.rescore;
  return { class: 'sort', ...post(r, '_search', body) };
}

function shownSearch(r) {
  return {
    class: 'shown',
    ...post(r, '_search', { query: drawQuery(r, 1), ...drawOrder(r), ...drawShown(r), ...drawShown(r) }),
  };
}

function aggregatedSearch(r) {
  const kind = r.pick(AGGREGATION_KINDS);
  const query = r.chance(0.5) ? { query: drawQuery(r, 1) } : {};
  const aggs = drawAggregations(r, DEEPEST, kind);
  const typed = r.chance(0.05) ? '?typed_keys=true' : '';
  return { class: `aggregation ${kind}`, ...post(r, '_search', { size: 0, ...query, aggs }, typed) };
}

const suggestingSearch = (r) => ({
  class: 'suggest',
  ...post(r, '_search', { ...(r.chance(0.2) ? { query: drawQuery(r, 0) } : {}), suggest: drawSuggest(r) }),
});
const count = (r) => ({ class: '_count', ...post(r, '_count', { query: drawQuery(r, DEEPEST) }) });

function validate(r) {
  const parameters = r.pick(['', '?explain=true', '?explain=true&rewrite=true']);
  return { class: '_validate', ...post(r, '_validate/query', { query: drawQuery(r, 1) }, parameters) };
}

function explain(r) {
  const { id, routing } = r.document();
  return {
    class: '_explain',
    ...post(r, `_explain/${id}`, { query: drawQuery(r, 1) }, routing === undefined ? '' : `?routing=${routing}`),
  };
}

function fieldCaps(r) {
  const fields = r.list(1, 3, () =>
    r.pick([r.pick(r.target.fields).path, `${r.pick(r.target.fields).path.slice(0, 2)}*`, 'absent', '*']),
  );
  const options = r.pick(['', '&include_unmapped=true']);
  return {
    class: '_field_caps',
    method: 'GET',
    path: `/${r.target.index}/_field_caps?fields=${encodeURIComponent(fields.join(','))}${options}`,
  };
}

function multiSearch(r) {
  const lines = r.list(1, 3, () => [
    { index: r.chance(0.9) ? r.target.index : 'absent' },
    { query: drawQuery(r, 1), _source: false, ...r.options({ size: [0.5, () => r.int(0, 5)] }) },
  ]);
  return { class: '_msearch', method: 'POST', path: '/_msearch', lines: lines.flat() };
}

function uriSearch(r) {
  const field = r.field('text');
  const parameters = new URLSearchParams({
    q: r.pick([r.word(field), `${field.path}:${r.word(field)}`, `"${r.words(field, 2, 2)}"`]),
    ...r.options({
      df: [r.target.has('completion') ? 1 : 0.4, () => field.path],
      size: [0.5, () => String(r.int(0, 9))],
      sort: [0.3, () => `${r.field('number').path}:${r.pick(['asc', 'desc'])}`],
      default_operator: [0.3, () => 'AND'],
      _source: [0.3, () => 'false'],
      track_total_hits: [0.2, () => 'true'],
      analyze_wildcard: [0.1, () => 'true'],
      lenient: [0.2, () => 'true'],
      docvalue_fields: [0.1, () => r.field('keyword').path],
      from: [0.2, () => '2'],
      explain: [0.05, () => 'true'],
      version: [0.1, () => 'true'],
      stored_fields: [0.05, () => 'kept'],
      rest_total_hits_as_int: [0.1, () => 'true'],
    }),
  });
  return { class: 'q=', method: 'GET', path: `/${r.target.index}/_search?${parameters}` };
}

function spoilt(r) {
  const request = r.pick([querySearch, aggregatedSearch, sortedSearch, suggestingSearch])(r);
  return { ...request, class: 'spoilt', body: spoil(r, request.body) };
}

const CLASSES = [
  [45, querySearch],
  [25, aggregatedSearch],
  [6, sortedSearch],
  [6, shownSearch],
  [3, suggestingSearch],
  [2, count],
  [2, validate],
  [2, explain],
  [2, drawAnalysis],
  [1, fieldCaps],
  [1, multiSearch],
  [2, uriSearch],
  [3, drawRead],
  [3, spoilt],
  [4, drawSimulation],
  [3, drawProgram],
  [3, drawTemplate],
];

/** Request number `number` of a seed: `{number, class, method, path, body?}`, over one of `targets` (`[weight, target]`). */
export function requestOf(seed, number, targets) {
  const r = new Draw(seed * 1_000_003 + number * SEED_STEP, targets[0][1]);
  r.target = r.weighted(targets);
  return { number, ...r.weighted(CLASSES)(r) };
}
