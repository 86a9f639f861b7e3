/** Random queries of every kind, and what each means for one document, from its definition. */
import fc from 'fast-check';

export interface NaiveDoc {
  readonly id: string;
  readonly t?: string;
  readonly u?: string;
  readonly k?: readonly string[];
  readonly n?: readonly number[];
  readonly at?: string;
}

/** A query and its meaning, made side by side. */
export interface MeantQuery {
  readonly json: Readonly<Record<string, unknown>>;
  readonly matches: (doc: NaiveDoc) => boolean;
}

export const WORDS = ['a', 'ab', 'abc', 'b', 'ba', 'c'] as const;
export const KEYS = ['x', 'xa', 'xab', 'yé', 'z', '日本'] as const;
export const NUMBERS = [-3, -1, 0, 1, 2, 2 ** 40] as const;
export const DATES = ['2024-01-01', '2024-01-02', '2024-03-01'] as const;

export const wordsOf = (doc: NaiveDoc, field: 't' | 'u' = 't'): string[] =>
  (doc[field] ?? '').split(' ').filter(Boolean);
const word = fc.constantFrom(...WORDS);
const someWords = (minLength: number, maxLength: number): fc.Arbitrary<string[]> =>
  fc.array(word, { minLength, maxLength });
const distinctWords = (minLength: number, maxLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(word, { minLength, maxLength });

/** Distance with swaps of neighbours, from its definition. */
export function editDistance(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  const d = Array.from({ length: x.length + 1 }, (_, i) =>
    Array.from({ length: y.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= x.length; i++) {
    for (let j = 1; j <= y.length; j++) {
      let best = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + (x[i - 1] === y[j - 1] ? 0 : 1));
      const isSwap = i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1];
      if (isSwap) best = Math.min(best, d[i - 2]![j - 2]! + 1);
      d[i]![j] = best;
    }
  }
  return d[x.length]![y.length]!;
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** The shortest ranges that hold all the words, in this order or in any. */
export function shortestWindows(words: readonly string[], wanted: readonly string[], isOrdered: boolean): Window[] {
  const all: Window[] = [];
  for (let start = 0; start < words.length; start++) {
    for (let end = start; end < words.length; end++) {
      if (holds(words.slice(start, end + 1), wanted, isOrdered)) all.push({ start, end });
    }
  }
  return all.filter((w) => !all.some((v) => v !== w && v.start >= w.start && v.end <= w.end));
}

function holds(words: readonly string[], wanted: readonly string[], isOrdered: boolean): boolean {
  if (!isOrdered) return wanted.every((one) => words.includes(one));
  let at = 0;
  for (const one of words) if (one === wanted[at]) at++;
  return at === wanted.length;
}

/** A phrase of different words, each at most so far from its place, all together. */
function isNearPhrase(words: readonly string[], phrase: readonly string[], slop: number): boolean {
  const choose = (i: number, low: number, high: number): boolean => {
    if (i === phrase.length) return high - low <= slop;
    return words.some((one, p) => one === phrase[i] && choose(i + 1, Math.min(low, p - i), Math.max(high, p - i)));
  };
  return choose(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
}

const isPhrase = (words: readonly string[], phrase: readonly ((word: string) => boolean)[]): boolean =>
  words.some((_, i) => phrase.every((test, j) => i + j < words.length && test(words[i + j]!)));

const meant = (json: MeantQuery['json'], matches: MeantQuery['matches']): MeantQuery => ({ json, matches });

const PATTERNS: readonly [string, RegExp][] = [
  ['a.*', /^a.*$/su],
  ['[ab]{1,2}', /^[ab]{1,2}$/su],
  ['x(a|b)+', /^x(a|b)+$/su],
  ['~(a.*)', /^(?!a).*$/su],
  ['.+&~(.*b)', /^.*[^b]$/su],
  ['日.|y.', /^(日.|y.)$/su],
  ['@', /^.*$/su],
];

const termLevel: readonly fc.Arbitrary<MeantQuery>[] = [
  fc.constant(meant({ match_all: {} }, () => true)),
  fc.constant(meant({ match_none: {} }, () => false)),
  word.map((t) => meant({ term: { t } }, (doc) => wordsOf(doc).includes(t))),
  fc.constantFrom(...KEYS).map((k) => meant({ term: { k } }, (doc) => doc.k?.includes(k) ?? false)),
  fc.constantFrom(...KEYS).map((k) => {
    const json = { term: { k: { value: k.toUpperCase(), case_insensitive: true } } };
    const ascii = (text: string): string => text.replace(/[A-Z]/g, (c) => c.toLowerCase());
    return meant(json, (doc) => doc.k?.some((v) => ascii(v) === ascii(k.toUpperCase())) ?? false);
  }),
  fc
    .uniqueArray(fc.constantFrom(...KEYS), { maxLength: 4 })
    .map((k) => meant({ terms: { k } }, (doc) => k.some((v) => doc.k?.includes(v)))),
  fc
    .uniqueArray(fc.constantFrom(...NUMBERS, 7), { maxLength: 4 })
    .map((n) => meant({ terms: { n } }, (doc) => n.some((v) => doc.n?.includes(v)))),
  fc
    .uniqueArray(fc.nat(12).map(String), { maxLength: 5 })
    .map((values) => meant({ ids: { values } }, (doc) => values.includes(doc.id))),
  fc
    .constantFrom('x', 'xa', 'y', 'q', '')
    .map((k) => meant({ prefix: { k } }, (doc) => doc.k?.some((v) => v.startsWith(k)) ?? false)),
  fc.constantFrom('x*', '*a*', '?', 'x?b', '日*', '?é').map((k) => {
    const pattern = new RegExp(`^${k.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
    return meant({ wildcard: { k } }, (doc) => doc.k?.some((v) => pattern.test(v)) ?? false);
  }),
  fc
    .tuple(fc.constantFrom(...PATTERNS), fc.constantFrom('k', 't'))
    .map(([[regexp, pattern], field]) =>
      meant({ regexp: { [field]: regexp } }, (doc) =>
        (field === 'k' ? (doc.k ?? []) : wordsOf(doc)).some((v) => pattern.test(v)),
      ),
    ),
  fc
    .tuple(fc.constantFrom(...KEYS, 'xb', '日'), fc.nat(2))
    .map(([value, fuzziness]) =>
      meant(
        { fuzzy: { k: { value, fuzziness } } },
        (doc) => doc.k?.some((v) => editDistance(v, value) <= fuzziness) ?? false,
      ),
    ),
  fc
    .tuple(fc.constantFrom(...NUMBERS), fc.constantFrom(...NUMBERS), fc.boolean())
    .map(([from, to, isOpen]) =>
      meant(
        { range: { n: isOpen ? { gt: from, lt: to } : { gte: from, lte: to } } },
        (doc) => doc.n?.some((v) => (isOpen ? v > from && v < to : v >= from && v <= to)) ?? false,
      ),
    ),
  fc
    .constantFrom(...DATES)
    .map((gte) => meant({ range: { at: { gte } } }, (doc) => doc.at !== undefined && doc.at >= gte)),
  fc
    .constantFrom('t', 'k', 'n', 'at', 'missing')
    .map((field) =>
      meant(
        { exists: { field } },
        (doc) => (doc[field as 'k' | 't']?.length ?? 0) > 0 || (field === 't' && doc.t === ''),
      ),
    ),
  fc.constant(
    meant({ distance_feature: { field: 'at', origin: '2024-01-05', pivot: '3d' } }, (doc) => doc.at !== undefined),
  ),
];

const fullText: readonly fc.Arbitrary<MeantQuery>[] = [
  fc.tuple(someWords(1, 3), fc.constantFrom('and', 'or')).map(([words, operator]) =>
    meant({ match: { t: { query: words.join(' '), operator } } }, (doc) => {
      const found = words.map((w) => wordsOf(doc).includes(w));
      return operator === 'and' ? found.every(Boolean) : found.some(Boolean);
    }),
  ),
  fc.tuple(someWords(2, 4), fc.constantFrom('2', '-1', '75%', '-25%', '2<-1')).map(([words, minimum]) => {
    const counts: Record<string, number> = {
      '2': 2,
      '-1': words.length - 1,
      '75%': Math.floor(words.length * 0.75),
      '-25%': words.length - Math.floor(words.length * 0.25),
      '2<-1': words.length <= 2 ? words.length : words.length - 1,
    };
    return meant(
      { match: { t: { query: words.join(' '), minimum_should_match: minimum } } },
      (doc) => words.filter((w) => wordsOf(doc).includes(w)).length >= Math.max(1, counts[minimum]!),
    );
  }),
  someWords(1, 3).map((words) =>
    meant({ match_phrase: { t: words.join(' ') } }, (doc) =>
      isPhrase(
        wordsOf(doc),
        words.map((w) => (v: string) => v === w),
      ),
    ),
  ),
  fc
    .tuple(distinctWords(2, 3), fc.nat(4))
    .map(([words, slop]) =>
      meant({ match_phrase: { t: { query: words.join(' '), slop } } }, (doc) =>
        isNearPhrase(wordsOf(doc), words, slop),
      ),
    ),
  someWords(1, 3).map((words) =>
    meant({ match_phrase_prefix: { t: words.join(' ') } }, (doc) =>
      isPhrase(
        wordsOf(doc),
        words.map((w, i) => (v: string) => (i === words.length - 1 ? v.startsWith(w) : v === w)),
      ),
    ),
  ),
  someWords(1, 3).map((words) =>
    meant({ match_bool_prefix: { t: words.join(' ') } }, (doc) =>
      words.some((w, i) => wordsOf(doc).some((v) => (i === words.length - 1 ? v.startsWith(w) : v === w))),
    ),
  ),
  fc.tuple(someWords(1, 3), fc.constantFrom('best_fields', 'most_fields', 'phrase')).map(([words, type]) =>
    meant({ multi_match: { query: words.join(' '), fields: ['t', 'u^2'], type } }, (doc) =>
      (['t', 'u'] as const).some((field) =>
        type === 'phrase'
          ? isPhrase(
              wordsOf(doc, field),
              words.map((w) => (v: string) => v === w),
            )
          : words.some((w) => wordsOf(doc, field).includes(w)),
      ),
    ),
  ),
  fc.tuple(word, word, word).map(([a, b, c]) =>
    meant({ query_string: { query: `t:(${a} AND ${b}) OR u:/${c}.?/` } }, (doc) => {
      const words = wordsOf(doc);
      const pattern = new RegExp(`^${c}.?$`);
      return (words.includes(a) && words.includes(b)) || wordsOf(doc, 'u').some((v) => pattern.test(v));
    }),
  ),
];

const spanTerm = (t: string): unknown => ({ span_term: { t } });
const positional: readonly fc.Arbitrary<MeantQuery>[] = [
  fc
    .tuple(distinctWords(2, 3), fc.nat(3), fc.boolean())
    .map(([words, slop, isOrdered]) =>
      meant({ span_near: { clauses: words.map(spanTerm), slop, in_order: isOrdered } }, (doc) =>
        shortestWindows(wordsOf(doc), words, isOrdered).some((w) => w.end - w.start + 1 - words.length <= slop),
      ),
    ),
  distinctWords(1, 3).map((words) =>
    meant({ span_or: { clauses: words.map(spanTerm) } }, (doc) => words.some((w) => wordsOf(doc).includes(w))),
  ),
  fc.tuple(word, word, fc.nat(2), fc.nat(2)).map(([a, b, pre, post]) =>
    meant({ span_not: { include: spanTerm(a), exclude: spanTerm(b), pre, post } }, (doc) => {
      const words = wordsOf(doc);
      return words.some((w, p) => w === a && !words.slice(Math.max(0, p - pre), p + post + 1).includes(b));
    }),
  ),
  fc
    .tuple(word, fc.integer({ min: 1, max: 4 }))
    .map(([a, end]) =>
      meant({ span_first: { match: spanTerm(a), end } }, (doc) => wordsOf(doc).slice(0, end).includes(a)),
    ),
  distinctWords(3, 3).map(([a = '', b = '', c = '']) => {
    const big = { span_near: { clauses: [spanTerm(a), spanTerm(b)], slop: 9, in_order: true } };
    return meant({ span_containing: { big, little: spanTerm(c) } }, (doc) =>
      wordsOf(doc).some((w, p, words) => {
        const end = w === a ? words.indexOf(b, p + 1) : -1;
        return end > 0 && words.slice(p, end).includes(c);
      }),
    );
  }),
  fc.constantFrom('a', 'b').map((t) => {
    const clauses = [{ span_multi: { match: { prefix: { t } } } }, spanTerm('c')];
    return meant({ span_near: { clauses, slop: 0, in_order: true } }, (doc) =>
      isPhrase(wordsOf(doc), [(v) => v.startsWith(t), (v) => v === 'c']),
    );
  }),
  fc
    .tuple(distinctWords(1, 3), fc.integer({ min: -1, max: 2 }), fc.boolean())
    .map(([words, maxGaps, isOrdered]) =>
      meant({ intervals: { t: { match: { query: words.join(' '), max_gaps: maxGaps, ordered: isOrdered } } } }, (doc) =>
        shortestWindows(wordsOf(doc), words, isOrdered).some(
          (w) => maxGaps < 0 || words.length === 1 || w.end - w.start + 1 - words.length <= maxGaps,
        ),
      ),
    ),
  fc
    .tuple(distinctWords(2, 2), word, fc.constantFrom('containing', 'not_containing', 'before', 'after', 'overlapping'))
    .map(([words, other, relation]) => {
      const match = { query: words.join(' '), filter: { [relation]: { match: { query: other } } } };
      return meant({ intervals: { t: { match } } }, (doc) => {
        const all = wordsOf(doc);
        const places = all.flatMap((w, p) => (w === other ? [p] : []));
        return shortestWindows(all, words, false).some(({ start, end }) => {
          const isInside = places.some((p) => p >= start && p <= end);
          if (relation === 'before') return places.some((p) => p > end);
          if (relation === 'after') return places.some((p) => p < start);
          return relation === 'not_containing' ? !isInside : isInside;
        });
      });
    }),
  fc.tuple(distinctWords(2, 2), fc.constantFrom('a', 'b')).map(([words, prefix]) => {
    const any = { any_of: { intervals: words.map((query) => ({ match: { query } })) } };
    return meant({ intervals: { t: { all_of: { ordered: true, intervals: [any, { prefix: { prefix } }] } } } }, (doc) =>
      wordsOf(doc).some((w, p, all) => words.includes(w) && all.slice(p + 1).some((v) => v.startsWith(prefix))),
    );
  }),
];

/** Every kind of query, inside each other. */
export const meantQueryArb: fc.Arbitrary<MeantQuery> = fc.letrec<{ query: MeantQuery }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'xsmall' },
    { weight: 4, arbitrary: fc.oneof(...termLevel) },
    { weight: 3, arbitrary: fc.oneof(...fullText) },
    { weight: 3, arbitrary: fc.oneof(...positional) },
    { weight: 2, arbitrary: boolArb(tie('query')) },
    tie('query').map(({ json, matches }) => meant({ constant_score: { filter: json, boost: 2 } }, matches)),
    fc
      .array(tie('query'), { minLength: 1, maxLength: 3 })
      .map((queries) =>
        meant({ dis_max: { queries: queries.map(({ json }) => json), tie_breaker: 0.3 } }, (doc) =>
          queries.some(({ matches }) => matches(doc)),
        ),
      ),
    fc
      .tuple(tie('query'), tie('query'))
      .map(([positive, negative]) =>
        meant(
          { boosting: { positive: positive.json, negative: negative.json, negative_boost: 0.2 } },
          positive.matches,
        ),
      ),
    fc.tuple(tie('query'), tie('query'), fc.boolean()).map(([query, filter, hasMinimum]) => {
      const functions = [{ filter: filter.json, weight: 4 }];
      const shape = { query: query.json, functions, boost_mode: 'replace' };
      return hasMinimum
        ? meant({ function_score: { ...shape, min_score: 2 } }, (doc) => query.matches(doc) && filter.matches(doc))
        : meant({ function_score: shape }, query.matches);
    }),
  ),
})).query;

function boolArb(query: fc.Arbitrary<MeantQuery>): fc.Arbitrary<MeantQuery> {
  const parts = fc.record({
    must: fc.array(query, { maxLength: 2 }),
    should: fc.array(query, { maxLength: 3 }),
    filter: fc.array(query, { maxLength: 2 }),
    must_not: fc.array(query, { maxLength: 1 }),
  });
  return fc.tuple(parts, fc.option(fc.nat(2))).map(([bool, minimum]) => {
    const json = Object.fromEntries(Object.entries(bool).map(([name, list]) => [name, list.map((one) => one.json)]));
    const required = [...bool.must, ...bool.filter];
    const byDefault = required.length > 0 || bool.should.length === 0 ? 0 : 1;
    const least = Math.max(byDefault, required.length + bool.should.length === 0 ? 0 : (minimum ?? 0));
    return meant({ bool: minimum === null ? json : { ...json, minimum_should_match: minimum } }, (doc) => {
      const optional = bool.should.filter(({ matches }) => matches(doc)).length;
      const isExcluded = bool.must_not.some(({ matches }) => matches(doc));
      return required.every(({ matches }) => matches(doc)) && optional >= least && !isExcluded;
    });
  });
}
