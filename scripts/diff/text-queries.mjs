/**
 * Full-text queries: their options, and the grammars of query_string and simple_query_string.
 */

const common = (r) => r.options({ boost: [0.15, () => r.boost()], _name: [0.05, () => r.name()] });

const fuzzyOptions = (r) =>
  r.chance(0.3)
    ? {
        fuzziness: r.fuzziness(),
        ...r.options({
          prefix_length: [0.3, () => r.int(0, 2)],
          max_expansions: [0.3, () => r.int(1, 50)],
          fuzzy_transpositions: [0.2, () => r.chance(0.5)],
          fuzzy_rewrite: [0.1, () => r.pick(['constant_score', 'top_terms_blended_freqs_10', 'scoring_boolean'])],
        }),
      }
    : {};

const wordOptions = (r) =>
  r.options({
    operator: [0.3, () => r.pick(['and', 'or', 'AND'])],
    minimum_should_match: [0.2, () => r.minimumShouldMatch()],
    analyzer: [0.1, () => r.analyzer()],
    zero_terms_query: [0.1, () => r.pick(['none', 'all'])],
    lenient: [0.1, () => r.chance(0.7)],
  });

function match(r) {
  const field = r.field('text', 'text', 'text', 'keyword', 'number');
  const query = field.type === 'text' ? r.words(field, 1, 5) : r.value(field);
  if (r.chance(0.2)) return { match: { [field.path]: query } };
  const fuzzy = field.type === 'text' ? fuzzyOptions(r) : {};
  const phrases = r.options({ auto_generate_synonyms_phrase_query: [0.05, () => r.chance(0.5)] });
  return { match: { [field.path]: { query, ...wordOptions(r), ...fuzzy, ...phrases, ...common(r) } } };
}

function matchPhrase(r) {
  const field = r.field('text');
  const options = r.options({
    slop: [0.4, () => r.int(0, 6)],
    analyzer: [0.1, () => r.analyzer()],
    zero_terms_query: [0.1, () => r.pick(['none', 'all'])],
  });
  return { match_phrase: { [field.path]: { query: r.words(field, 1, 4), ...options, ...common(r) } } };
}

/** The last word only begun. */
const begun = (r, words) => words.slice(0, Math.max(1, words.length - r.int(0, 3)));

function matchPhrasePrefix(r) {
  const field = r.field('text');
  const options = r.options({
    slop: [0.3, () => r.int(0, 4)],
    max_expansions: [0.3, () => r.int(1, 50)],
    analyzer: [0.1, () => r.analyzer()],
  });
  return { match_phrase_prefix: { [field.path]: { query: begun(r, r.words(field, 1, 4)), ...options, ...common(r) } } };
}

function matchBoolPrefix(r) {
  const field =
    r.chance(0.2) && r.target.has('rankFeature') && r.nested === null
      ? { ...r.target.fields.find(({ path }) => path === 'title'), path: 'title.typed' }
      : r.field('text');
  const { zero_terms_query: _, lenient: __, ...options } = wordOptions(r);
  return {
    match_bool_prefix: {
      [field.path]: { query: begun(r, r.words(field, 1, 4)), ...options, ...fuzzyOptions(r), ...common(r) },
    },
  };
}

const MULTI_TYPES = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'];

function weightedFields(r) {
  const texts = r.target.of('text', r.nested);
  const fields = r.some(texts, 1, 4).map(({ path }) => (r.chance(0.25) ? `${path}^${r.pick([2, 0.5, 3])}` : path));
  if (r.chance(0.1)) fields.push(r.field('keyword').path);
  return r.chance(0.06) ? ['t*'] : fields;
}

function multiMatch(r) {
  const type = r.pick(MULTI_TYPES);
  const field = r.field('text');
  const isPhrase = type.startsWith('phrase');
  const { zero_terms_query, ...options } = wordOptions(r);
  const body = {
    query: r.words(field, 1, 4),
    fields: weightedFields(r),
    ...(r.chance(0.85) ? { type } : {}),
    ...options,
    ...(zero_terms_query === undefined ? {} : { zero_terms_query }),
    ...r.options({ tie_breaker: [0.25, () => r.pick([0, 0.3, 1])] }),
    ...(isPhrase && r.chance(0.4) ? { slop: r.int(0, 4) } : {}),
    ...(type === 'best_fields' || type === 'most_fields' ? fuzzyOptions(r) : {}),
    ...common(r),
  };
  return { multi_match: body };
}

function clause(r, fields, depth) {
  const field = r.pick(fields);
  const word = r.word(field);
  const at = r.int(1, word.length);
  const made = r.weighted([
    [6, () => word],
    [2, () => `"${r.words(field, 2, 3)}"`],
    [1, () => `"${r.words(field, 2, 3)}"~${r.int(1, 4)}`],
    [1.5, () => `${field.path}:${word}`],
    [0.7, () => `${field.path}:(${r.words(field, 1, 3)})`],
    [1, () => `${word.slice(0, at)}*`],
    [0.4, () => `*${word.slice(at - 1)}`],
    [0.5, () => `${word.slice(0, at - 1)}?${word.slice(at)}`],
    [0.8, () => `${r.misspelt(word)}~${r.pick(['', '1', '2'])}`],
    [0.4, () => `/${word.slice(0, at).toLowerCase()}.*/`],
    [0.5, () => `${word}^${r.pick([2, 0.5])}`],
    [0.4, () => `_exists_:${r.field('keyword', 'text', 'number').path}`],
    [
      0.4,
      () => {
        const number = r.field('number');
        const low = r.int(-50, 50);
        return `${number.path}:${r.pick([`[${low} TO ${low + 40}]`, `{${low} TO *}`, `>=${low}`, `<${low}`, `[* TO ${low}}`])}`
          .replaceAll(':[-', ':[\\-')
          .replaceAll(':{-', ':{\\-')
          .replaceAll(/:([<>]=?)-/g, ':$1\\-');
      },
    ],
    [0.3, () => `${field.path}:[${word.toLowerCase()} TO *]`],
    [depth > 0 ? 1.5 : 0, () => `(${expressionText(r, fields, depth - 1)})`],
    [0.2, () => '*:*'],
    [0.2, () => r.pick(['foo\\:bar', 'a\\-b', '\\(x\\)', 'AND', '&&', '!', '- -', 'tag\\ name'])],
  ])();
  return (
    r.weighted([
      [6, ''],
      [1, '+'],
      [1, '-'],
      [0.3, 'NOT '],
      [0.2, '!'],
    ]) + made
  );
}

function expressionText(r, fields, depth) {
  const parts = r.list(1, 4, () => clause(r, fields, depth));
  return parts.reduce(
    (text, part) =>
      text +
      r.weighted([
        [6, ' '],
        [2, ' AND '],
        [2, ' OR '],
        [0.3, ' && '],
        [0.3, ' || '],
      ]) +
      part,
  );
}

function queryString(r) {
  const texts = r.target.of('text', r.nested);
  const fields = r.some(texts, 1, 3);
  const aimed = r.weighted([
    [4, () => ({ fields: fields.map(({ path }) => (r.chance(0.2) ? `${path}^2` : path)) })],
    [4, () => ({ default_field: fields[0].path })],
    [r.target.has('completion') ? 0 : 0.4, () => ({})],
  ])();
  const options = r.options({
    default_operator: [0.3, () => r.pick(['and', 'or', 'AND'])],
    allow_leading_wildcard: [0.1, () => r.chance(0.5)],
    analyze_wildcard: [0.15, () => r.chance(0.6)],
    minimum_should_match: [0.15, () => r.minimumShouldMatch()],
    phrase_slop: [0.1, () => r.int(0, 3)],
    fuzziness: [0.1, () => r.fuzziness()],
    fuzzy_prefix_length: [0.1, () => r.int(0, 2)],
    fuzzy_max_expansions: [0.1, () => r.int(1, 30)],
    fuzzy_transpositions: [0.05, () => r.chance(0.5)],
    lenient: [0.2, () => r.chance(0.8)],
    analyzer: [0.08, () => r.analyzer()],
    quote_analyzer: [0.05, () => r.analyzer()],
    auto_generate_synonyms_phrase_query: [0.05, () => r.chance(0.5)],
    enable_position_increments: [0.05, () => r.chance(0.5)],
    tie_breaker: [0.1, () => r.pick([0, 0.4, 1])],
    type: [0.2, () => r.pick(MULTI_TYPES.slice(0, 5))],
    rewrite: [0.05, () => r.pick(['constant_score', 'scoring_boolean'])],
    escape: [0.04, () => r.chance(0.7)],
    time_zone: [0.05, () => r.zone()],
    max_determinized_states: [0.03, () => 5000],
  });
  return { query_string: { query: expressionText(r, fields, 2), ...aimed, ...options, ...common(r) } };
}

function simpleClause(r, field, depth) {
  const word = r.word(field);
  const made = r.weighted([
    [6, () => word],
    [2, () => `"${r.words(field, 2, 3)}"`],
    [1, () => `"${r.words(field, 2, 3)}"~${r.int(1, 4)}`],
    [1, () => `${word.slice(0, r.int(1, word.length))}*`],
    [1, () => `${r.misspelt(word)}~${r.pick(['', '1', '2'])}`],
    [depth > 0 ? 1.5 : 0, () => `(${simpleText(r, field, depth - 1)})`],
    [0.4, () => r.pick(['"', '(', ')', '\\+', '|', '+', '~', '*', '"open'])],
  ])();
  return (
    r.weighted([
      [6, ''],
      [1, '+'],
      [1.5, '-'],
    ]) + made
  );
}

function simpleText(r, field, depth) {
  const parts = r.list(1, 4, () => simpleClause(r, field, depth));
  return parts.reduce(
    (text, part) =>
      text +
      r.weighted([
        [6, ' '],
        [1.5, ' | '],
        [1.5, ' + '],
        [0.3, '|'],
      ]) +
      part,
  );
}

const FLAGS = [
  'ALL',
  'NONE',
  'AND|OR|PREFIX',
  'PHRASE',
  'OR|NOT|PRECEDENCE|WHITESPACE',
  'FUZZY|SLOP|NEAR',
  'AND',
  'ESCAPE',
];

function simpleQueryString(r) {
  const options = r.options({
    default_operator: [0.3, () => r.pick(['and', 'or', 'AND'])],
    flags: [0.2, () => r.pick(FLAGS)],
    analyze_wildcard: [0.1, () => r.chance(0.6)],
    minimum_should_match: [0.15, () => r.minimumShouldMatch()],
    fuzzy_prefix_length: [0.1, () => r.int(0, 2)],
    fuzzy_max_expansions: [0.1, () => r.int(1, 30)],
    fuzzy_transpositions: [0.05, () => r.chance(0.5)],
    lenient: [0.2, () => r.chance(0.8)],
    analyzer: [0.08, () => r.analyzer()],
    quote_field_suffix: [0.05, () => '.en'],
    auto_generate_synonyms_phrase_query: [0.05, () => r.chance(0.5)],
  });
  // Without fields a peer looks at those of completions too, which are no text here.
  const aimed = r.target.has('completion') || r.chance(0.93) ? { fields: weightedFields(r) } : {};
  return { simple_query_string: { query: simpleText(r, r.field('text'), 2), ...aimed, ...options, ...common(r) } };
}

/** By the name of the query: weight, what it needs, and its generator. */
export const TEXT_QUERIES = {
  match: { weight: 4, needs: 'text', make: match },
  match_phrase: { weight: 2, needs: 'text', make: matchPhrase },
  match_phrase_prefix: { weight: 1.5, needs: 'text', make: matchPhrasePrefix },
  match_bool_prefix: { weight: 1.5, needs: 'text', make: matchBoolPrefix },
  multi_match: { weight: 3, needs: 'text', make: multiMatch },
  query_string: { weight: 3.5, needs: 'text', make: queryString },
  simple_query_string: { weight: 2.5, needs: 'text', make: simpleQueryString },
};
