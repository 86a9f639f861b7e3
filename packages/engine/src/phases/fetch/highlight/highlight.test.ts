import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext, shardSearch } from '../../query/memory-searcher.test-support.ts';
import { fetchHits } from '../fetch-hits.ts';

type Json = Readonly<Record<string, unknown>>;

const MAPPING = {
  properties: {
    title: {
      type: 'text',
      term_vector: 'with_positions_offsets',
      fields: { raw: { type: 'keyword' }, english: { type: 'text', analyzer: 'english' } },
    },
    body: { type: 'text', term_vector: 'with_positions_offsets' },
    plain: { type: 'text' },
    tag: { type: 'keyword' },
    n: { type: 'long' },
  },
};

/** Highlights of one document. */
async function highlights(
  source: Json,
  query: Json,
  highlight: Json,
): Promise<Readonly<Record<string, readonly string[]>> | null> {
  const context = memoryContext(MAPPING, [[{ id: '1', source: JSON.stringify(source) }]]);
  const { request } = shardSearch({ query, highlight });
  const [hit] = await fetchHits(
    context,
    { ords: Uint32Array.of(0), request },
    { isStopped: false },
    { monotonicMs: () => 0, wallMs: () => 0 },
  );
  return hit?.highlight ? JSON.parse(Buffer.from(hit.highlight).toString('utf8')) : null;
}

const BODY = { fields: { body: {} } };

describe('max_analyzed_offset', () => {
  const source = { tag: 'x', body: 'quick fox, quick fox', plain: 'quick fox, quick fox' };
  const marked = (options: Json): ReturnType<typeof highlights> =>
    highlights(source, { multi_match: { query: 'quick', fields: ['body', 'plain'] } }, options);

  test('marks no word that begins behind it, unless the offsets of all are indexed', async () => {
    expect(await marked({ max_analyzed_offset: 10, fields: { plain: {}, body: {} } })).toEqual({
      plain: ['<em>quick</em> fox, quick fox'],
      body: ['<em>quick</em> fox, <em>quick</em> fox'],
    });
    expect(await marked({ max_analyzed_offset: 11, fields: { plain: { type: 'plain' } } })).toEqual({
      plain: ['<em>quick</em> fox, <em>quick</em> fox'],
    });
    expect(await marked({ max_analyzed_offset: 2, type: 'plain', fields: { body: {} } })).toEqual({
      body: ['<em>quick</em> fox, quick fox'],
    });
    expect(await marked({ max_analyzed_offset: -1, fields: { plain: {} } })).toEqual({
      plain: ['<em>quick</em> fox, <em>quick</em> fox'],
    });
  });

  test.each([0, -2])('may not be %i', async (value) => {
    await expect(marked({ max_analyzed_offset: value, fields: { body: {} } })).rejects.toThrow('failed to parse field');
  });
});

describe('what is marked', () => {
  test('every word of a match, in the field that it was asked of', async () => {
    const source = { title: 'Brown bread', body: 'The quick brown fox is brown.' };
    expect(await highlights(source, { match: { body: 'QUICK brown' } }, { fields: { body: {}, title: {} } })).toEqual({
      body: ['The <em>quick</em> <em>brown</em> fox is <em>brown</em>.'],
    });
    expect(
      await highlights(source, { match: { body: 'brown' } }, { require_field_match: false, fields: { '*': {} } }),
    ).toMatchObject({ title: ['<em>Brown</em> bread'] });
  });
  test('words near a fuzzy one, and in a range, of any field where the field need not match', async () => {
    const source = { title: 'a librari and a libary', tag: 'extra' };
    const everywhere = { require_field_match: false, fields: { title: {} } };
    expect((await highlights(source, { fuzzy: { body: 'library' } }, everywhere))?.title).toEqual([
      'a <em>librari</em> and a <em>libary</em>',
    ]);
    expect((await highlights(source, { range: { tag: { gt: 'and', lt: 'lic' } } }, everywhere))?.title).toEqual([
      'a <em>librari</em> and a <em>libary</em>',
    ]);
    expect((await highlights(source, { range: { tag: { gte: 'e' } } }, { fields: { tag: {} } }))?.tag).toEqual([
      '<em>extra</em>',
    ]);
  });
  test('by vectors only words that the index has in the field asked for', async () => {
    const source = { title: 'the cage', tag: 'orange', body: 'an orange cage' };
    const marked = async (query: Json, type: string): Promise<unknown> =>
      (await highlights(source, query, { type, require_field_match: false, fields: { body: {} } }))?.body;
    for (const query of [
      { wildcard: { tag: '*ge' } },
      { prefix: { tag: 'o' } },
      { range: { tag: { gte: 'c', lt: 'p' } } },
    ])
      expect(await marked(query, 'fvh')).toEqual(['an <em>orange</em> cage']);
    expect(await marked({ wildcard: { tag: '*ge' } }, 'unified')).toEqual(['an <em>orange</em> <em>cage</em>']);
    expect(await marked({ range: { tag: { gt: 'orange' } } }, 'fvh')).toBeUndefined();
  });
  test('words of a phrase one by one where a function scores it', async () => {
    const source = { body: 'brown bread, quick brown', title: 'x' };
    const phrase = { match_phrase: { body: 'quick brown' } };
    const scripted = { script_score: { query: phrase, script: { source: '_score * 2' } } };
    const marked = async (query: Json, type: string): Promise<unknown> =>
      (await highlights(source, query, { type, ...BODY }))?.body;
    const whole = ['brown bread, <em>quick</em> <em>brown</em>'];
    const single = ['<em>brown</em> bread, <em>quick</em> <em>brown</em>'];
    expect(await marked({ function_score: { query: phrase } }, 'unified')).toEqual(single);
    expect(await marked({ function_score: { query: phrase } }, 'plain')).toEqual(whole);
    expect(await marked(scripted, 'unified')).toEqual(single);
    expect(await marked(scripted, 'plain')).toEqual(single);
    expect(await marked(scripted, 'fvh')).toBeUndefined();
    // The plain highlighter asks for its words only where nothing else is marked in the field.
    const beside = (field: string): Json => ({ bool: { should: [{ match: { [field]: 'bread' } }, scripted] } });
    expect(await marked(beside('body'), 'plain')).toEqual(['brown <em>bread</em>, quick brown']);
    expect(await marked(beside('title'), 'plain')).toEqual(single);
  });
  test('by vectors with the tag of the place that a word or phrase has in the query', async () => {
    const source = { body: 'abc def fox ghi jkl mno yzz' };
    const should = [
      { match: { body: 'fox abc' } },
      { match_phrase: { body: 'jkl mno' } },
      { prefix: { body: 'y' } },
      { match: { body: 'ghi' } },
    ];
    const tags = { pre_tags: ['1<', '2<', '3<'], post_tags: ['>1', '>2'] };
    const marked = async (type: string): Promise<unknown> =>
      (await highlights(source, { bool: { should } }, { type, ...tags, ...BODY }))?.body;
    expect(await marked('fvh')).toEqual(['2<abc>2 def 1<fox>1 2<ghi>1 3<jkl mno>1 1<yzz>2']);
    expect(await marked('plain')).toEqual(['1<abc>1 def 1<fox>1 1<ghi>1 1<jkl>1 1<mno>1 1<yzz>1']);
  });
  test('words of a phrase only where they stand in it', async () => {
    const source = { body: 'fox quick brown, a quick brown fox and a brown fox' };
    expect(await highlights(source, { match_phrase: { body: 'quick brown fox' } }, BODY)).toEqual({
      body: ['fox quick brown, a <em>quick</em> <em>brown</em> <em>fox</em> and a brown fox'],
    });
    expect(await highlights(source, { match_phrase: { body: { query: 'quick fox', slop: 1 } } }, BODY)).toEqual({
      body: ['fox quick brown, a <em>quick</em> brown <em>fox</em> and a brown fox'],
    });
    expect(await highlights(source, { match_phrase: { body: 'quick brown fox' } }, { type: 'fvh', ...BODY })).toEqual({
      body: ['fox quick brown, a <em>quick brown fox</em> and a brown fox'],
    });
    expect(await highlights(source, { match_phrase_prefix: { body: 'quick bro' } }, BODY)).toEqual({
      body: ['fox <em>quick</em> <em>brown</em>, a <em>quick</em> <em>brown</em> fox and a brown fox'],
    });
  });
  test('no phrase over two values', async () => {
    const query = { match_phrase: { body: 'quick fox' } };
    expect(await highlights({ body: ['so quick', 'fox'] }, query, BODY)).toBeNull();
  });
  test('what prefixes, wildcards and near words find', async () => {
    const source = { body: 'Jumping jumper jump leap' };
    expect((await highlights(source, { prefix: { body: 'jumpi' } }, BODY))?.body).toEqual([
      '<em>Jumping</em> jumper jump leap',
    ]);
    expect((await highlights(source, { wildcard: { body: 'j*r' } }, BODY))?.body).toEqual([
      'Jumping <em>jumper</em> jump leap',
    ]);
    expect((await highlights(source, { fuzzy: { body: 'lep' } }, BODY))?.body).toEqual([
      'Jumping jumper jump <em>leap</em>',
    ]);
    expect((await highlights(source, { query_string: { query: 'body:jump* AND leap' } }, BODY))?.body).toEqual([
      '<em>Jumping</em> <em>jumper</em> <em>jump</em> <em>leap</em>',
    ]);
  });
  test('what regular expressions, spans, intervals and scoring functions look for', async () => {
    const source = { body: 'a quick brown fox, a fox so quick, and foxes' };
    const shown = async (query: Json) => (await highlights(source, query, BODY))?.body;
    expect(await shown({ regexp: { body: 'fox(es)?' } })).toEqual([
      'a quick brown <em>fox</em>, a <em>fox</em> so quick, and <em>foxes</em>',
    ]);
    const words = [{ span_term: { body: 'fox' } }, { span_term: { body: 'quick' } }];
    expect(await shown({ span_near: { clauses: words, slop: 1, in_order: true } })).toEqual([
      'a quick brown fox, a <em>fox</em> so <em>quick</em>, and foxes',
    ]);
    expect(await shown({ span_near: { clauses: words, slop: 1, in_order: false } })).toEqual([
      'a <em>quick</em> brown <em>fox</em>, a <em>fox</em> so <em>quick</em>, and foxes',
    ]);
    expect(await shown({ span_first: { match: { span_or: { clauses: words } }, end: 4 } })).toEqual([
      'a <em>quick</em> brown <em>fox</em>, a fox so quick, and foxes',
    ]);
    const near = { span_near: { clauses: words, slop: 1, in_order: false } };
    expect(await shown({ span_first: { match: near, end: 4 } })).toEqual([
      'a <em>quick</em> brown <em>fox</em>, a fox so quick, and foxes',
    ]);
    const prefix = { span_multi: { match: { prefix: { body: 'fo' } } } };
    expect(await shown({ span_first: { match: prefix, end: 6 } })).toEqual([
      'a quick brown <em>fox</em>, a <em>fox</em> so quick, and foxes',
    ]);
    // Lucene marks the words of intervals wherever they are.
    expect(await shown({ intervals: { body: { match: { query: 'quick fox', max_gaps: 1, ordered: true } } } })).toEqual(
      ['a <em>quick</em> brown <em>fox</em>, a <em>fox</em> so <em>quick</em>, and foxes'],
    );
    const filtered = (relation: string): Json => ({
      intervals: { body: { match: { query: 'foxes', filter: { [relation]: { match: { query: 'brown' } } } } } },
    });
    expect(await shown(filtered('after'))).toEqual(['a quick <em>brown</em> fox, a fox so quick, and <em>foxes</em>']);
    expect(await shown(filtered('not_containing'))).toEqual(['a quick brown fox, a fox so quick, and <em>foxes</em>']);
    expect(await shown({ function_score: { query: { match: { body: 'foxes' } }, weight: 2 } })).toEqual([
      'a quick brown fox, a fox so quick, and <em>foxes</em>',
    ]);
  });
  test('nothing of what must not match, and a whole keyword', async () => {
    const source = { tag: ['red fox', 'blue'], body: 'red blue' };
    const query = { bool: { filter: [{ term: { tag: 'red fox' } }], must_not: [{ match: { body: 'red' } }] } };
    expect(await highlights(source, query, { fields: { '*': {} } })).toEqual({ tag: ['<em>red fox</em>'] });
  });
  test('what highlight_query asks, and what is asked of matched fields', async () => {
    const source = { title: 'Running dogs run', body: 'x' };
    expect(
      await highlights(
        source,
        { match_all: {} },
        { fields: { title: { highlight_query: { match: { title: 'dogs' } } } } },
      ),
    ).toEqual({ title: ['Running <em>dogs</em> run'] });
    const matched = { fields: { title: { matched_fields: ['title', 'title.english'] } } };
    expect(await highlights(source, { match: { 'title.english': 'runs' } }, matched)).toEqual({
      title: ['<em>Running</em> dogs <em>run</em>'],
    });
  });
});

describe('what is shown', () => {
  const sentences = 'One fox here. Nothing there at all, not at all. A fox and a fox again. The end of it.';
  const fox = { match: { body: 'fox' } };
  test('sentences together up to the fragment size, in the order of the text', async () => {
    expect((await highlights({ body: sentences }, fox, { fragment_size: 25, ...BODY }))?.body).toEqual([
      'One <em>fox</em> here.',
      'A <em>fox</em> and a <em>fox</em> again.',
    ]);
    expect((await highlights({ body: sentences }, fox, { fragment_size: 50, ...BODY }))?.body).toEqual([
      'One <em>fox</em> here. Nothing there at all, not at all.',
      'A <em>fox</em> and a <em>fox</em> again. The end of it.',
    ]);
  });
  test('the best first where asked, and no more than asked', async () => {
    const options = { fragment_size: 20, order: 'score', ...BODY };
    expect((await highlights({ body: sentences }, fox, options))?.body?.[0]).toContain('again');
    expect((await highlights({ body: sentences }, fox, { ...options, number_of_fragments: 1 }))?.body).toHaveLength(1);
  });
  test('a sentence that is too long is cut at words', async () => {
    const long = `${'word '.repeat(40)}fox ${'word '.repeat(40)}`;
    const found = await highlights({ body: long }, fox, { fragment_size: 50, ...BODY });
    const [shown = ''] = found?.body ?? [];
    expect(shown).toContain('<em>fox</em>');
    expect(shown.length).toBeLessThan(80);
    expect(shown.split(' ').every((word) => ['word', '<em>fox</em>'].includes(word))).toBe(true);
  });
  test('by vectors, at boundaries that know no values, with the space behind the value that a fragment ends in', async () => {
    const body = ['abc def', 'ghi fox', 'jkl fox mno pqr', 'last'];
    const shown = async (options: Json): Promise<unknown> =>
      (await highlights({ body }, fox, { type: 'fvh', ...options, ...BODY }))?.body;
    const sentence = { boundary_scanner: 'sentence' };
    const first = 'abc def ghi <em>fox</em>';
    const second = 'abc def ghi fox jkl <em>fox</em> mno pqr';
    expect(await shown({})).toEqual(['ghi <em>fox</em>', 'jkl <em>fox</em> mno pqr']);
    expect(await shown({ boundary_scanner: 'word' })).toEqual([' ghi <em>fox</em>', ' jkl <em>fox</em> mno pqr']);
    expect(await shown(sentence)).toEqual([first, second]);
    expect(await shown({ ...sentence, number_of_fragments: 0 })).toEqual([first, second]);
    expect(await shown({ ...sentence, fragment_size: 18 })).toEqual([first, `${second} `]);
    expect(await shown({ boundary_chars: '#', boundary_max_scan: 3, fragment_size: 18 })).toEqual([
      'hi <em>fox</em>',
      'jkl <em>fox</em> mno',
    ]);
  });
  test('whole values without fragments', async () => {
    expect(
      (await highlights({ body: [sentences, 'none', 'fox'] }, fox, { number_of_fragments: 0, ...BODY }))?.body,
    ).toEqual([sentences.replaceAll('fox', '<em>fox</em>'), '<em>fox</em>']);
  });
  test('single words, and stretches between characters', async () => {
    expect((await highlights({ body: sentences }, fox, { boundary_scanner: 'word', ...BODY }))?.body?.[0]).toBe(
      '<em>fox</em>',
    );
    expect((await highlights({ body: sentences }, fox, { type: 'fvh', fragment_size: 20, ...BODY }))?.body).toEqual([
      'One <em>fox</em> here. Nothing',
      ' A <em>fox</em> and a <em>fox</em> again',
    ]);
  });
  test('stretches behind words for the plain highlighter, the one with most words first', async () => {
    const options = { type: 'plain', fragment_size: 40, ...BODY };
    expect((await highlights({ body: sentences }, { match: { body: 'fox here' } }, options))?.body).toEqual([
      'One <em>fox</em> <em>here</em>. Nothing there at all, not',
      ' at all. A <em>fox</em> and a <em>fox</em> again. The end of it.',
    ]);
  });
  test('for the plain highlighter, which weighs words, only what has a weight', async () => {
    const options = { type: 'plain', ...BODY };
    const weightless = {
      bool: { should: [{ match: { body: { query: 'fox', boost: 0 } } }, { match: { body: 'end' } }] },
    };
    expect((await highlights({ body: sentences }, weightless, options))?.body?.join('')).not.toContain('<em>fox');
    expect(await highlights({ body: sentences }, { bool: { must: [fox], boost: 0 } }, options)).toBeNull();
  });
  test('sentences that lines do not end, and words with hyphens whole', async () => {
    const body = 'one line\nand a fox-like thing';
    expect((await highlights({ body }, fox, BODY))?.body).toEqual(['one line\nand a <em>fox</em>-like thing']);
    const words = { boundary_scanner: 'word', ...BODY };
    expect((await highlights({ body }, fox, words))?.body).toEqual(['<em>fox</em>-like']);
  });
  test('the beginning of the text when nothing is marked in it', async () => {
    expect((await highlights({ body: sentences }, { match_all: {} }, { no_match_size: 5, ...BODY }))?.body).toEqual([
      'One fox',
    ]);
    expect(await highlights({ body: sentences }, { match_all: {} }, BODY)).toBeNull();
  });
  test('none of its beginning, by vectors, where the first of several values is shorter than what is asked for', async () => {
    const beginning = async (size: number, body: unknown = ['one two three', 'four five']) => {
      const options = { type: 'fvh', no_match_size: size, ...BODY };
      return (await highlights({ body }, { match_all: {} }, options))?.body;
    };
    expect(await beginning(14)).toEqual(['one two three']);
    expect(await beginning(15)).toBeUndefined();
    expect(await beginning(4, ['', 'four five'])).toBeUndefined();
    expect(await beginning(40, 'one two three')).toEqual(['one two three']);
    expect(await beginning(40, ['one two three'])).toEqual(['one two three']);
  });
  test('at words of the same rules in any language that has spaces', async () => {
    const body = 'a fox-like thing';
    for (const boundary_scanner_locale of ['en-US', 'de'])
      expect(
        (await highlights({ body }, fox, { boundary_scanner: 'word', boundary_scanner_locale, ...BODY }))?.body,
      ).toEqual(['<em>fox</em>-like']);
  });
  test('with tags and escapes as asked', async () => {
    const body = 'a <b> & "fox"';
    expect(
      (await highlights({ body }, fox, { pre_tags: ['['], post_tags: [']'], encoder: 'html', ...BODY }))?.body,
    ).toEqual(['a &lt;b&gt; &amp; &quot;[fox]&quot;']);
    expect((await highlights({ body }, fox, { tags_schema: 'styled', ...BODY }))?.body).toEqual([
      'a <b> & "<em class="hlt1">fox</em>"',
    ]);
  });
});

test('any text and any words give fragments of the text with balanced tags', async () => {
  const word = fc.constantFrom('fox', 'dog', 'Fox', 'été', 'a', '日本', '😀', 'x.', 'y!', 'z,', '\n');
  const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '));
  const options = fc.record({
    type: fc.constantFrom('unified', 'plain', 'fvh'),
    fragment_size: fc.constantFrom(0, 5, 18, 100),
    number_of_fragments: fc.constantFrom(0, 1, 3),
    boundary_scanner: fc.constantFrom('sentence', 'word'),
    order: fc.constantFrom('none', 'score'),
    no_match_size: fc.constantFrom(0, 10),
  });
  const query = fc.oneof(
    word.map((value) => ({ match: { body: value } })),
    fc.record({ query: text, slop: fc.nat(3) }).map((phrase) => ({ match_phrase: { body: phrase } })),
    word.map((value) => ({ prefix: { body: value } })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), query, options, async (values, asked, some) => {
      const given = { ...some, fragment_size: Math.max(some.fragment_size, some.type === 'fvh' ? 18 : 0) };
      const tags = { pre_tags: ['⟦'], post_tags: ['⟧'] };
      const shown = (await highlights({ body: values }, asked, { ...given, ...tags, ...BODY }))?.body ?? [];
      for (const fragment of shown) {
        expect(fragment.replace(/⟦[^⟦⟧]+⟧/g, '')).not.toMatch(/[⟦⟧]/);
        const plain = fragment.replace(/[⟦⟧]/g, '');
        // Boundaries of vectors know no values, and behind each one stands a space.
        const texts = given.type === 'fvh' ? [`${values.join(' ')} `] : values;
        expect(texts.some((value) => value.includes(plain))).toBe(true);
        if (given.number_of_fragments > 0) expect(shown.length).toBeLessThanOrEqual(given.number_of_fragments);
      }
    }),
    { numRuns: 300 },
  );
});
