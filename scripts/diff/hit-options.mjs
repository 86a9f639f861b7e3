/**
 * Members of a search beside its query and aggregations: which hits come, in which order, and what is shown of them.
 */
import { drawQuery } from './compound-queries.mjs';
import { drawSort } from './sorts.mjs';

const anyField = (r, ...families) => r.field(...families).path;

function highlight(r) {
  const types = ['unified', 'plain', 'fvh'];
  const options = () => ({
    ...(r.chance(0.2) ? { pre_tags: ['<b>'], post_tags: ['</b>'] } : {}),
    ...r.options({
      fragment_size: [0.3, () => r.pick([0, 20, 60, 150])],
      number_of_fragments: [0.3, () => r.int(0, 4)],
      order: [0.2, () => r.pick(['score', 'none'])],
      no_match_size: [0.2, () => r.pick([10, 40])],
      require_field_match: [0.3, () => r.chance(0.4)],
      boundary_scanner: [0.15, () => r.pick(['word', 'sentence'])],
      boundary_scanner_locale: [0.03, () => 'en-US'],
      phrase_limit: [0.05, () => r.pick([1, 3, 20])],
      fragment_offset: [0.05, () => r.pick([0, 3, 6])],
    }),
  });
  const fields = {};
  for (const { path, field } of r.some(r.target.of('text'), 1, 3)) {
    const type = r.options({ type: [0.5, () => r.pick(field.term_vector === undefined ? types.slice(0, 2) : types)] });
    fields[path] = { ...options(), ...type, ...r.options({ highlight_query: [0.05, () => drawQuery(r, 0)] }) };
    if (fields[path].type === 'fvh' && fields[path].boundary_scanner === undefined && r.chance(0.3))
      fields[path].boundary_max_scan = 5;
    if (fields[path].type === 'plain' && r.chance(0.3)) fields[path].fragmenter = r.pick(['simple', 'span']);
  }
  return { ...options(), ...r.options({ encoder: [0.05, () => 'html'], tags_schema: [0.03, () => 'styled'] }), fields };
}

function shownFields(r) {
  return r.list(1, 4, () => {
    const field = r.field('keyword', 'number', 'date', 'ip', 'boolean', 'geo');
    if (r.chance(0.6)) return r.chance(0.1) ? `${field.path.slice(0, 2)}*` : field.path;
    return {
      field: field.path,
      ...(field.type === 'date' ? { format: r.pick(['yyyy', 'epoch_millis', "yyyy-MM-dd'T'HH"]) } : {}),
    };
  });
}

function sourceFilter(r) {
  const path = () =>
    r.pick([
      anyField(r, 'keyword', 'number', 'text'),
      `${anyField(r, 'keyword').slice(0, 2)}*`,
      'items.*',
      'items.parts.colour',
      'person',
      '*.name',
    ]);
  return r.pick([
    () => false,
    () => true,
    path,
    () => r.list(0, 3, path),
    () => ({ includes: r.list(0, 2, path), excludes: r.list(0, 2, path) }),
  ])();
}

function rescore(r) {
  const one = () => ({
    window_size: r.pick([5, 20, 100]),
    query: {
      rescore_query: drawQuery(r, 1),
      ...r.options({
        query_weight: [0.4, () => r.pick([0.3, 1, 2])],
        rescore_query_weight: [0.4, () => r.pick([0.5, 3])],
        score_mode: [0.5, () => r.pick(['total', 'multiply', 'avg', 'max', 'min'])],
      }),
    },
  });
  return r.chance(0.7) ? one() : r.list(1, 2, one);
}

function collapse(r) {
  const field = r.pick(
    ['kind', 'section', 'method', 'tiny', 'status', 'priority'].filter((name) =>
      r.target.fields.some(({ path }) => path === name),
    ),
  );
  return {
    field,
    ...r.options({
      inner_hits: [
        0.3,
        () => ({
          name: 'same',
          size: r.int(0, 3),
          ...r.options({ sort: [0.6, () => drawSort(r)], from: [0.1, () => 1] }),
        }),
      ],
      max_concurrent_group_searches: [0.05, () => 2],
    }),
  };
}

const SCRIPT_FIELDS = [
  "doc['n'].size() == 0 ? null : doc['n'].value + 1",
  'params._source.kind',
  "doc['tags']",
  "doc['at'].size() == 0 ? 'none' : doc['at'].value.getYear()",
  "doc['price'].size() == 0 ? 0 : doc['price'].value * params.a",
];
const scriptFields = (r) => ({ made: { script: { source: r.pick(SCRIPT_FIELDS), params: { a: 3 } } } });

/** Values of a plausible hit for each sort, as the page before would have ended. */
function searchAfter(r, sort) {
  const value = (one) => {
    const [name, options] = typeof one === 'string' ? [one, {}] : Object.entries(one)[0];
    if (name === '_score') return r.int(0, 4);
    if (name === '_doc' || name === '_seq_no') return r.int(0, 100);
    if (name === '_id') return r.document().id;
    const field = r.target.fields.find(({ path }) => path === name);
    if (field === undefined || options.format !== undefined) return null;
    if (field.type === 'boolean') return r.int(0, 1);
    if (field.type === 'date') return Date.parse(r.isoTime());
    return ['date_nanos', 'long', 'ip'].includes(field.type)
      ? null
      : r.pick(field.values.length > 0 ? field.values : [1]);
  };
  const values = sort.map(value);
  return values.includes(null) ? {} : { search_after: values };
}

/** Paging and order. */
export function drawOrder(r) {
  const made = r.options({
    size: [0.5, () => r.pick([0, 1, 3, 10, 25])],
    from: [0.15, () => r.int(0, 20)],
    sort: [0.3, () => drawSort(r)],
    min_score: [0.06, () => r.pick([0.5, 1, 3])],
    track_total_hits: [0.2, () => r.pick([true, false, 5, 100])],
    track_scores: [0.1, () => r.chance(0.7)],
    post_filter: [0.1, () => drawQuery(r, 1)],
  });
  const isPlain =
    made.sort !== undefined &&
    !made.sort.some(
      (one) => one._script || one._geo_distance || one.absent || one._index || Object.values(one)[0]?.nested,
    );
  if (isPlain && made.from === undefined && r.chance(0.3)) Object.assign(made, searchAfter(r, made.sort));
  if (made.sort === undefined && made.search_after === undefined && r.chance(0.08)) made.rescore = rescore(r);
  else if (made.search_after === undefined && r.chance(0.08)) made.collapse = collapse(r);
  return made;
}

/** What is shown of a hit. */
export function drawShown(r) {
  return r.options({
    _source: [0.25, () => sourceFilter(r)],
    docvalue_fields: [0.15, () => shownFields(r)],
    fields: [0.15, () => shownFields(r)],
    stored_fields: [0.06, () => r.pick(['_none_', ['kept'], '*', ['_source'], ['kept', 'title']])],
    script_fields: [r.target.has('rankFeature') ? 0.05 : 0, () => scriptFields(r)],
    highlight: [0.2, () => highlight(r)],
    explain: [0.04, () => true],
    version: [0.05, () => true],
    seq_no_primary_term: [0.05, () => true],
  });
}
