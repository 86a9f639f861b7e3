/**
 * Suggesters: term, phrase and completion.
 */

const spelling = (r) =>
  r.options({
    max_edits: [0.3, () => r.int(1, 2)],
    prefix_length: [0.3, () => r.int(0, 3)],
    min_word_length: [0.3, () => r.int(1, 5)],
    max_term_freq: [0.1, () => r.pick([0.01, 5])],
    min_doc_freq: [0.2, () => r.pick([0, 2, 0.01])],
    suggest_mode: [0.5, () => r.pick(['missing', 'popular', 'always'])],
    size: [0.3, () => r.int(1, 6)],
    max_inspections: [0.1, () => 10],
  });

const misspeltWords = (r, field) =>
  r
    .words(field, 1, 3)
    .split(' ')
    .map((word) => r.misspelt(word))
    .join(' ');

function term(r) {
  const field = r.field('text');
  const options = r.options({
    sort: [0.4, () => r.pick(['score', 'frequency'])],
    string_distance: [0.2, () => r.pick(['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram'])],
    shard_size: [0.15, () => 20],
  });
  return { text: misspeltWords(r, field), term: { field: field.path, ...spelling(r), ...options } };
}

function phrase(r) {
  const field = r.field('text');
  const options = r.options({
    max_errors: [0.3, () => r.pick([1, 2, 0.5])],
    confidence: [0.3, () => r.pick([0, 1, 2])],
    real_word_error_likelihood: [0.2, () => 0.9],
    size: [0.3, () => r.int(1, 4)],
    highlight: [0.3, () => ({ pre_tag: '<b>', post_tag: '</b>' })],
    smoothing: [
      0.3,
      () =>
        r.pick([
          { stupid_backoff: { discount: 0.3 } },
          { laplace: { alpha: 0.7 } },
          { linear_interpolation: { trigram_lambda: 0.6, bigram_lambda: 0.3, unigram_lambda: 0.1 } },
        ]),
    ],
    gram_size: [0.2, () => 1],
    token_limit: [0.1, () => 5],
    separator: [0.1, () => ' '],
    direct_generator: [
      0.5,
      () => [
        {
          field: field.path,
          ...r.options({
            suggest_mode: [0.5, () => r.pick(['missing', 'popular', 'always'])],
            min_word_length: [0.5, () => r.int(1, 4)],
            prefix_length: [0.3, () => r.int(0, 2)],
            max_edits: [0.3, () => r.int(1, 2)],
            size: [0.3, () => r.int(1, 6)],
          }),
        },
      ],
    ],
  });
  return { text: misspeltWords(r, field), phrase: { field: field.path, ...options } };
}

function completion(r) {
  const field = r.field('completion');
  const begun = r.pick(['a', 't', 'th', 'qu', 'b', 'sto', 'ri', 'cl']);
  const options = r.options({ size: [0.5, () => r.int(1, 8)], skip_duplicates: [0.4, () => r.chance(0.6)] });
  if (r.chance(0.2)) return { regex: `${begun}.*[a-n]`, completion: { field: field.path, ...options } };
  const fuzzy = r.options({
    fuzzy: [
      0.4,
      () =>
        r.options({
          fuzziness: [0.6, () => r.pick([0, 1, 2, 'AUTO'])],
          min_length: [0.3, () => r.int(1, 4)],
          prefix_length: [0.3, () => r.int(0, 2)],
          transpositions: [0.2, () => r.chance(0.5)],
        }),
    ],
  });
  return { prefix: begun, completion: { field: field.path, ...options, ...fuzzy } };
}

/** The `suggest` of a search. */
export function drawSuggest(r) {
  const kinds = [term, phrase, ...(r.has('completion') ? [completion] : [])];
  return Object.fromEntries(r.list(1, 2, () => r.pick(kinds)(r)).map((one, at) => [`s${at}`, one]));
}
