/**
 * Requests of `_analyze`: built-in analyzers, and chains of char filters, tokenizers and token filters with their options.
 */
import { TEXT_LANGUAGES, textIn } from './texts.mjs';

const ANALYZERS = [
  ...TEXT_LANGUAGES.filter((name) => !['code', 'serbian', 'sorani'].includes(name)),
  ...['sorani', 'standard', 'simple', 'whitespace', 'keyword', 'stop', 'fingerprint', 'pattern', 'snowball'],
];

const STEMMERS = `arabic armenian basque bengali brazilian bulgarian catalan czech danish dutch dutch_kp english
light_english lovins minimal_english porter2 possessive_english finnish light_finnish light_french minimal_french french
galician minimal_galician german german2 light_german minimal_german greek hindi hungarian light_hungarian indonesian irish
italian light_italian sorani latvian lithuanian norwegian light_norwegian minimal_norwegian light_nynorsk minimal_nynorsk
portuguese light_portuguese minimal_portuguese portuguese_rslp romanian russian light_russian spanish light_spanish swedish
light_swedish turkish estonian`.split(/\s+/);
const SNOWBALLS =
  `Armenian Basque Catalan Danish Dutch English Estonian Finnish French German German2 Hungarian Irish Italian
Kp Lovins Norwegian Porter Portuguese Romanian Russian Spanish Swedish Turkish Arabic`.split(/\s+/);
const STOPS = TEXT_LANGUAGES.filter((name) => !['cjk', 'code', 'serbian', 'estonian'].includes(name));
const PATTERNS = [
  '\\W+',
  '[,;\\s]+',
  '([a-z]+)|(\\d+)',
  '(?<=[a-z])(?=[A-Z])',
  '\\p{L}+',
  '.',
  '(a)(b)?',
  '[^\\p{L}\\d]+',
  "'s$",
];
const CHARACTER_CLASSES = ['letter', 'digit', 'whitespace', 'punctuation', 'symbol'];

const flag = (r) => r.chance(0.5);
const grams = (r) => {
  const low = r.int(1, 3);
  return { min_gram: low, max_gram: low + r.int(0, 1) };
};
const wordParts = (r) =>
  r.options(
    Object.fromEntries(
      [
        'generate_word_parts',
        'generate_number_parts',
        'catenate_words',
        'catenate_numbers',
        'catenate_all',
        'split_on_case_change',
        'preserve_original',
        'split_on_numerics',
        'stem_english_possessive',
      ]
        .map((name) => [name, [0.25, () => flag(r)]])
        .concat([
          ['protected_words', [0.1, () => ['wi-fi', 'fooBar2Baz']]],
          ['type_table', [0.1, () => ['- => ALPHA', '$ => DIGIT', '\\u0040 => ALPHANUM']]],
        ]),
    ),
  );
const SYNONYMS = [
  ['running, runs => run', 'the, a'],
  ['wi-fi, wifi, wireless network', 'cities => towns'],
  ['john o neil, jon', 'not => n o t'],
  ['foo bar => baz', 'i.b.m., ibm, big blue'],
];
const synonyms = (r) => ({
  synonyms: r.pick(SYNONYMS),
  ...r.options({ expand: [0.3, () => flag(r)], lenient: [0.2, () => true] }),
});
const breakdown = (r) => ({
  word_list: ['book', 'bücher', 'haus', 'auf', 'geräumt', 'run', 'ning', 'cit', 'the', 'stra', 'ße', 'gener'],
  ...r.options({
    min_word_size: [0.3, () => r.int(1, 6)],
    min_subword_size: [0.3, () => r.int(1, 4)],
    max_subword_size: [0.2, () => r.int(3, 9)],
    only_longest_match: [0.3, () => flag(r)],
  }),
});

/** Token filters with a draw of their options. */
const TOKEN_FILTERS = {
  apostrophe: () => ({}),
  arabic_normalization: () => ({}),
  asciifolding: (r) => r.options({ preserve_original: [0.4, () => flag(r)] }),
  bengali_normalization: () => ({}),
  cjk_bigram: (r) =>
    r.options({
      output_unigrams: [0.3, () => flag(r)],
      ignored_scripts: [0.3, () => r.some(['han', 'hiragana', 'katakana', 'hangul'], 1, 3)],
    }),
  cjk_width: () => ({}),
  classic: () => ({}),
  common_grams: (r) => ({
    common_words: ['the', 'a', 'of', 'de', 'und'],
    ...r.options({ ignore_case: [0.4, () => flag(r)], query_mode: [0.4, () => flag(r)] }),
  }),
  decimal_digit: () => ({}),
  delimited_payload: (r) =>
    r.options({
      delimiter: [0.5, () => r.pick(['|', '-'])],
      encoding: [0.4, () => r.pick(['identity', 'float', 'int'])],
    }),
  dictionary_decompounder: breakdown,
  edge_ngram: (r) => ({
    ...grams(r),
    ...r.options({ preserve_original: [0.3, () => flag(r)], side: [0.2, () => r.pick(['front', 'back'])] }),
  }),
  elision: (r) => ({ articles: ['l', 'd', 'qu', 'j', 'm'], ...r.options({ articles_case: [0.4, () => flag(r)] }) }),
  fingerprint: (r) =>
    r.options({ separator: [0.3, () => r.pick(['+', '_'])], max_output_size: [0.3, () => r.int(5, 80)] }),
  flatten_graph: () => ({}),
  german_normalization: () => ({}),
  hindi_normalization: () => ({}),
  indic_normalization: () => ({}),
  keep: (r) => ({
    keep_words: ['running', 'the', 'de', 'Häuser', 'books'],
    ...r.options({ keep_words_case: [0.4, () => flag(r)] }),
  }),
  keep_types: (r) => ({
    types: r.some(['<ALPHANUM>', '<NUM>', 'word', '<IDEOGRAPHIC>', '<EMOJI>', 'SYNONYM', '<EMAIL>'], 1, 3),
    ...r.options({ mode: [0.4, () => r.pick(['include', 'exclude'])] }),
  }),
  keyword_marker: (r) =>
    r.pick([
      { keywords: ['running', 'cities', 'casas'], ...r.options({ ignore_case: [0.4, () => flag(r)] }) },
      { keywords_pattern: '.*s$' },
    ]),
  keyword_repeat: () => ({}),
  kstem: () => ({}),
  length: (r) => r.options({ min: [0.5, () => r.int(0, 5)], max: [0.5, () => r.int(3, 9)] }),
  limit: (r) => r.options({ max_token_count: [0.6, () => r.int(1, 6)], consume_all_tokens: [0.3, () => flag(r)] }),
  lowercase: (r) => r.options({ language: [0.3, () => r.pick(['greek', 'irish', 'turkish'])] }),
  min_hash: (r) =>
    r.options({
      hash_count: [0.4, () => r.int(1, 3)],
      bucket_count: [0.8, () => r.int(1, 5)],
      hash_set_size: [0.4, () => r.int(1, 3)],
      with_rotation: [0.3, () => flag(r)],
    }),
  multiplexer: (r) => ({
    filters: r.some(
      ['lowercase', 'uppercase', 'porter_stem', 'lowercase, porter_stem', 'reverse', 'asciifolding'],
      1,
      3,
    ),
    ...r.options({ preserve_original: [0.4, () => flag(r)] }),
  }),
  ngram: (r) => ({ ...grams(r), ...r.options({ preserve_original: [0.3, () => flag(r)] }) }),
  pattern_capture: (r) => ({
    patterns: r.some(['([a-z]+)', '(\\d+)', '(\\p{Lu})', '([^@]+)@(.*)', '(..)(.)'], 1, 2),
    ...r.options({ preserve_original: [0.4, () => flag(r)] }),
  }),
  pattern_replace: (r) => ({
    pattern: r.pick(PATTERNS),
    replacement: r.pick(['', '-', '$1', '[$0]', 'x']),
    ...r.options({ all: [0.3, () => flag(r)], flags: [0.2, () => r.pick(['CASE_INSENSITIVE', 'DOTALL|MULTILINE'])] }),
  }),
  persian_normalization: () => ({}),
  porter_stem: () => ({}),
  remove_duplicates: () => ({}),
  reverse: () => ({}),
  scandinavian_folding: () => ({}),
  scandinavian_normalization: () => ({}),
  serbian_normalization: () => ({}),
  shingle: (r) => {
    const low = r.int(2, 3);
    return {
      min_shingle_size: low,
      max_shingle_size: low + r.int(0, 1),
      ...r.options({
        output_unigrams: [0.4, () => flag(r)],
        output_unigrams_if_no_shingles: [0.3, () => flag(r)],
        token_separator: [0.3, () => r.pick(['', '_', ' - '])],
        filler_token: [0.3, () => r.pick(['', '*'])],
      }),
    };
  },
  snowball: (r) => ({ language: r.pick(SNOWBALLS) }),
  sorani_normalization: () => ({}),
  stemmer: (r) => ({ language: r.pick(STEMMERS) }),
  stemmer_override: () => ({ rules: ['running, runs => run', 'cities => city', 'casas => kasa'] }),
  stop: (r) => ({
    stopwords: r.pick([`_${r.pick(STOPS)}_`, ['the', 'a', 'de', 'И'], '_none_']),
    ...r.options({ ignore_case: [0.4, () => flag(r)], remove_trailing: [0.3, () => flag(r)] }),
  }),
  synonym: synonyms,
  synonym_graph: synonyms,
  trim: () => ({}),
  truncate: (r) => ({ length: r.int(1, 8) }),
  unique: (r) => r.options({ only_on_same_position: [0.4, () => flag(r)] }),
  uppercase: () => ({}),
  word_delimiter: wordParts,
  word_delimiter_graph: (r) => ({
    ...wordParts(r),
    ...r.options({ adjust_offsets: [0.3, () => flag(r)], ignore_keywords: [0.2, () => flag(r)] }),
  }),
  ...Object.fromEntries(
    ['arabic', 'brazilian', 'czech', 'dutch', 'french', 'german', 'russian'].map((language) => [
      `${language}_stem`,
      () => ({}),
    ]),
  ),
};

/** Tokenizers with a draw of their options. */
const TOKENIZERS = {
  standard: (r) => r.options({ max_token_length: [0.2, () => r.int(2, 12)] }),
  whitespace: (r) => r.options({ max_token_length: [0.2, () => r.int(2, 12)] }),
  letter: () => ({}),
  lowercase: () => ({}),
  keyword: (r) => r.options({ buffer_size: [0.2, () => r.int(10, 300)] }),
  ngram: (r) => ({ ...grams(r), ...r.options({ token_chars: [0.6, () => r.some(CHARACTER_CLASSES, 1, 3)] }) }),
  edge_ngram: (r) => ({
    ...grams(r),
    ...r.options({
      token_chars: [0.6, () => r.some([...CHARACTER_CLASSES, 'custom'], 1, 3)],
      custom_token_chars: [0.3, () => "+-_'"],
    }),
  }),
  pattern: (r) => ({
    ...r.options({
      pattern: [0.8, () => r.pick(PATTERNS)],
      flags: [0.2, () => 'CASE_INSENSITIVE'],
      group: [0.3, () => r.int(-1, 1)],
    }),
  }),
  simple_pattern: (r) => ({ pattern: r.pick(['[a-z]+', '[0-9]{1,3}', '[^ ]+s', 'a|the', '.']) }),
  simple_pattern_split: (r) => ({ pattern: r.pick(['[ ,]+', '-', '[0-9]', ' the ', '']) }),
  path_hierarchy: (r) =>
    r.options({
      delimiter: [0.4, () => r.pick([' ', '/', '-'])],
      replacement: [0.3, () => '_'],
      reverse: [0.4, () => flag(r)],
      skip: [0.4, () => r.int(0, 3)],
    }),
  char_group: (r) => ({
    tokenize_on_chars: r.some(['whitespace', 'letter', 'digit', 'punctuation', 'symbol', '-', '\\n', 'a', '/'], 1, 3),
    ...r.options({ max_token_length: [0.2, () => r.int(3, 9)] }),
  }),
  classic: (r) => r.options({ max_token_length: [0.2, () => r.int(2, 12)] }),
  uax_url_email: (r) => r.options({ max_token_length: [0.2, () => r.int(4, 20)] }),
  thai: () => ({}),
};

const CHAR_FILTERS = {
  html_strip: (r) => r.options({ escaped_tags: [0.3, () => ['b']] }),
  mapping: () => ({ mappings: ['٤ => 4', ':) => _happy_', 'ph => f', 'ß => ss', "' => ", 'é => e', '- => \\u0020'] }),
  pattern_replace: (r) => ({
    pattern: r.pick(PATTERNS),
    replacement: r.pick(['', ' ', '$1_', '-']),
    ...r.options({ flags: [0.1, () => 'CASE_INSENSITIVE'] }),
  }),
};

/** Components whose options have no defaults. */
const NEEDS_OPTIONS = new Set([
  'common_grams',
  'dictionary_decompounder',
  'keep',
  'keep_types',
  'keyword_marker',
  'multiplexer',
  'pattern_capture',
  'pattern_replace',
  'stemmer_override',
  'synonym',
  'synonym_graph',
  'mapping',
  'simple_pattern',
  'simple_pattern_split',
  'char_group',
]);

function component(r, kinds) {
  const type = r.pick(Object.keys(kinds));
  const options = kinds[type](r);
  return Object.keys(options).length === 0 || (!NEEDS_OPTIONS.has(type) && r.chance(0.2)) ? type : { type, ...options };
}

const words = (r, language = r.pick(TEXT_LANGUAGES)) => textIn(r, language, 1, 12);

function byAnalyzer(r) {
  const name = r.pick(ANALYZERS);
  return { analyzer: name, text: words(r, r.chance(0.8) && TEXT_LANGUAGES.includes(name) ? name : undefined) };
}

function byField(r) {
  const field = r.pick(r.target.of('text'));
  const text = () => (r.chance(0.5) && field.values.length > 0 ? String(r.pick(field.values)) : words(r));
  return { field: field.path, text: r.chance(0.7) ? text() : r.list(1, 2, text) };
}

function byComponents(r) {
  const filter = r.chance(0.9) ? { filter: r.list(1, 3, () => component(r, TOKEN_FILTERS)) } : {};
  const charFilter = r.chance(0.2) ? { char_filter: r.list(1, 2, () => component(r, CHAR_FILTERS)) } : {};
  const stemmed = (filter.filter ?? []).find((one) => ['stemmer', 'snowball'].includes(one.type))?.language;
  const language = TEXT_LANGUAGES.find((name) => stemmed?.toLowerCase().includes(name));
  const text = () => words(r, r.chance(0.7) ? language : undefined);
  return {
    tokenizer: r.chance(0.5) ? 'standard' : component(r, TOKENIZERS),
    ...filter,
    ...charFilter,
    text: r.chance(0.85) ? text() : r.list(1, 3, text),
  };
}

/** A request of `_analyze`. */
export function drawAnalysis(r) {
  const body = r.weighted([
    [3, byAnalyzer],
    [1, byField],
    [5, byComponents],
  ])(r);
  const explain = r.options({ explain: [0.1, () => true] });
  return { class: '_analyze', method: 'POST', path: `/${r.target.index}/_analyze`, body: { ...body, ...explain } };
}
