/**
 * Queries of positions: intervals and spans.
 */

const common = (r) => r.options({ boost: [0.15, () => r.boost()], _name: [0.05, () => r.name()] });
const textField = (r) => r.field('text');
const DEEPEST = 2;

function intervalRule(r, field, depth) {
  const inner = () => intervalRule(r, field, depth - 1);
  const word = r.word(field).toLowerCase();
  const kinds = {
    match: () => ({
      query: r.words(field, 1, 3),
      ...r.options({
        max_gaps: [0.4, () => r.int(-1, 5)],
        ordered: [0.4, () => r.chance(0.6)],
        analyzer: [0.1, () => r.pick(['standard', 'simple'])],
        use_field: [0.06, () => textField(r).path],
      }),
    }),
    prefix: () => ({
      prefix: word.slice(0, r.int(1, 3)),
      ...r.options({ use_field: [0.06, () => textField(r).path] }),
    }),
    wildcard: () => ({ pattern: `${word.slice(0, r.int(1, 2))}*${r.pick(['', word.slice(-1)])}` }),
    fuzzy: () => ({
      term: r.misspelt(word),
      ...r.options({
        fuzziness: [0.5, () => r.fuzziness()],
        prefix_length: [0.3, () => r.int(0, 2)],
        transpositions: [0.2, () => r.chance(0.5)],
      }),
    }),
    all_of: () => ({
      intervals: r.list(1, 3, inner),
      ...r.options({ max_gaps: [0.5, () => r.int(-1, 8)], ordered: [0.5, () => r.chance(0.5)] }),
    }),
    any_of: () => ({ intervals: r.list(1, 3, inner) }),
  };
  const name = r.weighted([
    [5, 'match'],
    [1, 'prefix'],
    [0.7, 'wildcard'],
    [0.7, 'fuzzy'],
    [depth > 0 ? 2 : 0, 'all_of'],
    [depth > 0 ? 2 : 0, 'any_of'],
  ]);
  const rule = kinds[name]();
  if (depth > 0 && r.chance(0.25) && !['prefix', 'wildcard', 'fuzzy'].includes(name))
    rule.filter = intervalFilter(r, inner);
  return { [name]: rule };
}

const FILTERS = [
  'after',
  'before',
  'contained_by',
  'containing',
  'not_contained_by',
  'not_containing',
  'not_overlapping',
  'overlapping',
];
const INTERVAL_SCRIPTS = ['interval.start > 1', 'interval.gaps < 3', 'interval.end - interval.start < params.a'];

function intervalFilter(r, inner) {
  if (r.chance(0.12)) return { script: { source: r.pick(INTERVAL_SCRIPTS), params: { a: r.int(1, 6) } } };
  return { [r.pick(FILTERS)]: inner() };
}

function intervals(r) {
  const field = textField(r);
  return { intervals: { [field.path]: { ...intervalRule(r, field, DEEPEST), ...common(r) } } };
}

function spanTerm(r, field) {
  const value = r.word(field).toLowerCase();
  return r.chance(0.7)
    ? { span_term: { [field.path]: value } }
    : { span_term: { [field.path]: { value, ...r.options({ boost: [0.3, () => r.boost()] }) } } };
}

function spanMulti(r, field) {
  const word = r.word(field).toLowerCase();
  const match = r.pick([
    () => ({ prefix: { [field.path]: { value: word.slice(0, r.int(1, 3)) } } }),
    () => ({ wildcard: { [field.path]: { value: `${word.slice(0, 1)}*${word.slice(-1)}` } } }),
    () => ({ fuzzy: { [field.path]: { value: r.misspelt(word), fuzziness: r.int(0, 2) } } }),
    () => ({ regexp: { [field.path]: { value: `${word.slice(0, 1)}[a-m].*` } } }),
  ])();
  return { span_multi: { match } };
}

function span(r, field, depth) {
  if (depth === 0) return r.chance(0.8) ? spanTerm(r, field) : spanMulti(r, field);
  return r.weighted([
    [2, () => spanTerm(r, field)],
    [1, () => spanMulti(r, field)],
    [4, () => spanNear(r, field, depth)],
    [2, () => ({ span_or: { clauses: r.list(1, 3, () => span(r, field, depth - 1)), ...common(r) } })],
    [1, () => ({ span_first: { match: span(r, field, depth - 1), end: r.int(1, 10), ...common(r) } })],
    [1, () => spanNot(r, field, depth)],
    [
      1,
      () => ({
        [r.pick(['span_containing', 'span_within'])]: {
          big: spanNear(r, field, depth),
          little: span(r, field, depth - 1),
          ...common(r),
        },
      }),
    ],
    [0.5, () => ({ field_masking_span: { query: span(r, field, depth - 1), field: textField(r).path } })],
  ])();
}

const spanNear = (r, field, depth) => ({
  span_near: {
    clauses: r.list(1, 3, () => span(r, field, depth - 1)),
    slop: r.int(0, 8),
    ...r.options({ in_order: [0.7, () => r.chance(0.5)] }),
    ...common(r),
  },
});

function spanNot(r, field, depth) {
  const room = r.pick([{}, { pre: r.int(0, 3), post: r.int(0, 3) }, { dist: r.int(0, 3) }]);
  return {
    span_not: { include: span(r, field, depth - 1), exclude: span(r, field, depth - 1), ...room, ...common(r) },
  };
}

/** By the name of the query: weight, what it needs, and its generator. */
export const POSITIONAL_QUERIES = {
  intervals: { weight: 2, needs: 'text', make: intervals },
  span: { weight: 3, needs: 'text', make: (r) => span(r, textField(r), DEEPEST) },
};
