/**
 * Requests of `_ingest/pipeline/_simulate`: processors with their options over documents with values of every kind.
 */

const flag = (r) => r.chance(0.5);
const NAMES = [
  'text',
  'number',
  'list',
  'object',
  'object.inner',
  'time',
  'csv',
  'pairs',
  'json',
  'html',
  'absent',
  'nil',
];
const field = (r) => r.pick(NAMES);
const textField = (r) => r.pick(['text', 'csv', 'pairs', 'html', 'list', 'absent', 'number', 'object.word']);
const target = (r) => r.options({ target_field: [0.3, () => r.pick(['made', 'object.made', 'text'])] });
const lenient = (r) => r.options({ ignore_missing: [0.3, () => flag(r)] });

/** A processor that changes the text of one field. */
const ofText = (r) => ({ field: textField(r), ...target(r), ...lenient(r) });

const CONVERSIONS = ['integer', 'long', 'float', 'double', 'string', 'boolean', 'auto', 'ip'];
const DATE_FORMATS = ['ISO8601', 'UNIX', 'UNIX_MS', 'TAI64N', 'yyyy-MM-dd', 'dd/MM/yyyy HH:mm', 'EEE MMM d yyyy'];
const DISSECTS = ['%{a} %{b}', '%{a} %{+a} %{b}', '%{?skip} %{&skip}', '%{a}-%{b}', '%{*k}=%{&k}', '%{a->} %{b}'];
const GROKS = [
  '%{WORD:w} %{GREEDYDATA:rest}',
  '%{NUMBER:n:int}',
  '%{IP:ip}',
  '%{TIMESTAMP_ISO8601:ts}',
  '(?<named>[a-z]+)',
  '%{ABSENT:x}',
];
const SCRIPTS = [
  'ctx.made = ctx.number + params.a',
  "ctx.made = ctx.containsKey('text') ? ctx.text.toUpperCase() : null",
  "ctx.remove('text')",
  "ctx['_index'] = 'other'",
  'ctx.object.inner = ctx.list.size()',
  "ctx.made = /a.c/.matcher('abc').matches()",
];
const CONDITIONS = ['ctx.number > 5', "ctx.text == 'a'", 'ctx.absent?.inner != null', 'ctx.list.length > 1'];
const VALUES = ['v', 5, 1.5, true, null, ['a', 'b'], { a: 1 }, '{{text}}', '{{{object.inner}}}', '{{absent}}'];

/** Generators of the options of each processor. */
const PROCESSORS = {
  append: (r) => ({
    field: field(r),
    value: r.pick([...VALUES.slice(0, 4), ['x', 'x'], '{{text}}']),
    ...r.options({ allow_duplicates: [0.3, () => flag(r)] }),
  }),
  bytes: (r) => ({ ...ofText(r), field: r.pick(['size', 'text', 'number', 'absent']) }),
  convert: (r) => ({ field: field(r), type: r.pick(CONVERSIONS), ...target(r), ...lenient(r) }),
  csv: (r) => ({
    field: r.pick(['csv', 'csv', 'text', 'absent']),
    target_fields: r.pick([['a', 'b', 'c'], 'a', ['a', 'b']]),
    ...r.options({
      separator: [0.2, () => ';'],
      quote: [0.2, () => "'"],
      trim: [0.3, () => flag(r)],
      empty_value: [0.3, () => 'none'],
    }),
    ...lenient(r),
  }),
  date: (r) => ({
    field: r.pick(['time', 'time', 'text', 'number', 'absent']),
    formats: r.some(DATE_FORMATS, 1, 3),
    ...r.options({
      target_field: [0.3, () => 'made'],
      timezone: [0.3, () => r.zone()],
      locale: [0.1, () => r.pick(['de', 'fr'])],
      output_format: [0.2, () => r.pick(['yyyy', "yyyy-MM-dd'T'HH"])],
    }),
  }),
  dissect: (r) => ({
    field: r.pick(['text', 'pairs', 'absent']),
    pattern: r.pick(DISSECTS),
    ...r.options({ append_separator: [0.2, () => '+'] }),
    ...lenient(r),
  }),
  dot_expander: (r) => ({ field: r.pick(['a.b', 'a.b', 'x.y']) }),
  drop: () => ({}),
  fail: (r) => ({ message: r.pick(['stopped', 'stopped at {{text}}']) }),
  foreach: (r) => ({
    field: r.pick(['list', 'list', 'text', 'absent']),
    processor: r.pick([
      { uppercase: { field: '_ingest._value' } },
      { convert: { field: '_ingest._value', type: 'integer' } },
      { append: { field: 'made', value: '{{_ingest._value}}' } },
    ]),
    ...lenient(r),
  }),
  grok: (r) => ({
    field: r.pick(['text', 'time', 'absent']),
    patterns: r.some(GROKS, 1, 2),
    ...r.options({ trace_match: [0.2, () => flag(r)] }),
    ...lenient(r),
  }),
  gsub: (r) => ({
    ...ofText(r),
    pattern: r.pick(['[aeiou]', '\\s+', '(\\w)(\\w)', '.', '(']),
    replacement: r.pick(['-', '', '$2$1', '$1']),
  }),
  html_strip: (r) => ({ ...ofText(r), field: r.pick(['html', 'text', 'absent']) }),
  join: (r) => ({
    field: r.pick(['list', 'list', 'text', 'absent']),
    separator: r.pick([',', ' - ', '']),
    ...target(r),
  }),
  json: (r) => ({
    field: r.pick(['json', 'json', 'text', 'number', 'absent']),
    ...r.options({ target_field: [0.4, () => 'made'], add_to_root: [0.2, () => flag(r)] }),
  }),
  kv: (r) => ({
    field: r.pick(['pairs', 'pairs', 'text', 'absent']),
    field_split: r.pick([' ', '&', '[;,]']),
    value_split: r.pick(['=', ':']),
    ...r.options({
      prefix: [0.3, () => 'p_'],
      include_keys: [0.2, () => ['a']],
      exclude_keys: [0.2, () => ['b']],
      strip_brackets: [0.2, () => flag(r)],
      trim_key: [0.1, () => 'a'],
      target_field: [0.3, () => 'made'],
    }),
    ...lenient(r),
  }),
  lowercase: ofText,
  remove: (r) => ({ field: r.pick([field(r), [field(r), field(r)]]), ...lenient(r) }),
  rename: (r) => ({ field: field(r), target_field: r.pick(['made', 'text', 'object.made']), ...lenient(r) }),
  script: (r) => ({ source: r.pick(SCRIPTS), params: { a: 2 } }),
  set: (r) => ({
    field: r.pick([...NAMES, 'made', 'object.made', '_id', '{{text}}']),
    value: r.pick(VALUES),
    ...r.options({ override: [0.3, () => flag(r)], ignore_empty_value: [0.2, () => flag(r)] }),
  }),
  sort: (r) => ({
    field: r.pick(['list', 'list', 'text', 'absent']),
    ...r.options({ order: [0.5, () => r.pick(['asc', 'desc', 'up'])] }),
    ...target(r),
  }),
  split: (r) => ({
    field: r.pick(['text', 'csv', 'list', 'absent']),
    separator: r.pick([' ', ',', '\\s+', '']),
    ...r.options({ preserve_trailing: [0.3, () => flag(r)] }),
    ...target(r),
    ...lenient(r),
  }),
  trim: ofText,
  uppercase: ofText,
  urldecode: ofText,
};

function processor(r, depth) {
  const type = r.pick(Object.keys(PROCESSORS));
  const options = r.options({
    ignore_failure: [0.15, () => flag(r)],
    if: [0.1, () => r.pick(CONDITIONS)],
    tag: [0.1, () => 'mine'],
    on_failure: [depth > 0 ? 0.1 : 0, () => [{ set: { field: 'failed', value: '{{_ingest.on_failure_message}}' } }]],
  });
  return { [type]: { ...PROCESSORS[type](r), ...options } };
}

const TEXTS = ['a', 'Foo bar', '  padded  ', 'x=1 y=2', '42', '-7.5', 'true', '10.1.2.3 GET', 'a%20b+c', '1kb', 'été'];

function source(r) {
  return r.options({
    text: [0.9, () => r.pick(TEXTS)],
    number: [0.9, () => r.pick([0, 7, -3, 2.5, 9007199254740991])],
    list: [0.9, () => r.pick([['b', 'a'], ['1', '2'], [3, 1, 2], [], ['A', null]])],
    object: [0.9, () => ({ inner: r.int(0, 9), word: 'Some Word' })],
    time: [
      0.9,
      () => r.pick(['2021-03-04T05:06:07Z', '2021-03-04', '1614834367', '04/03/2021 05:06', 'Thu Mar 4 2021']),
    ],
    csv: [0.8, () => r.pick(['a,b,c', '"q,1",2', 'a;b', "'x', y ,", ''])],
    pairs: [0.8, () => r.pick(['a=1 b=2', 'a=1&b=2', 'a:[x] b:(y)', 'none'])],
    json: [0.8, () => r.pick(['{"a":1}', '[1,2]', '"s"', 'not', '{"a":{"b":[1.50]}}'])],
    html: [0.8, () => r.pick(['<b>bold</b> &amp; more', 'plain', '<p>one</p><p>two</p>'])],
    size: [0.6, () => r.pick(['1kb', '2.5mb', '10', 'x'])],
    'a.b': [0.3, () => 1],
    nil: [0.3, () => null],
  });
}

/** A simulation of one to three processors over one or two documents. */
export function drawSimulation(r) {
  const body = {
    pipeline: { processors: r.list(1, 3, () => processor(r, 1)) },
    docs: r.list(1, 2, () => ({ _index: 'books', _id: 'one', _source: source(r) })),
  };
  const verbose = r.chance(0.15) ? '?verbose=true' : '';
  return { class: '_simulate', method: 'POST', path: `/_ingest/pipeline/_simulate${verbose}`, body };
}
