import type { SuggestEntry } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext, shardRequest } from '../query/memory-searcher.test-support.ts';
import { executeSuggest } from './execute-suggest.ts';

const MAPPING = {
  properties: {
    c: { type: 'completion' },
    stop: { type: 'completion', analyzer: 'stop' },
    joined: { type: 'completion', preserve_separators: false },
    short: { type: 'completion', max_input_length: 4 },
    color: { type: 'keyword' },
    place: { type: 'geo_point' },
    x: {
      type: 'completion',
      contexts: [
        { name: 'color', type: 'category', path: 'color' },
        { name: 'place', type: 'geo', precision: 4, path: 'place' },
      ],
    },
  },
};

const RUNNING = { isStopped: false };
const CLOCK = { monotonicMs: () => 0, wallMs: () => 0 };

/** The one suggestion over documents, of which each list is a segment. */
async function suggest(
  suggestion: object,
  segments: readonly (readonly object[])[],
  isDeleted: (id: string) => boolean = () => false,
): Promise<SuggestEntry> {
  let id = 0;
  const docs = segments.map((segment) => segment.map((doc) => ({ id: `${id++}`, source: JSON.stringify(doc) })));
  const context = memoryContext(MAPPING, docs, isDeleted);
  const request = shardRequest({ suggest: { a: suggestion } });
  const [[entry] = []] = await executeSuggest(context, request, RUNNING, CLOCK);
  if (entry === undefined) throw new Error('no entry');
  return entry;
}

const shown = ({ options }: SuggestEntry): readonly (readonly [string, number])[] =>
  options.map(({ text, score }) => [text, score]);

const WORDS = ['foo', 'foo bar', 'foobar', 'the fox', 'fooo', 'föö'];
const DOCS = WORDS.map((input, n) => ({ c: { input, weight: n + 1 }, stop: input, joined: input, short: input }));

describe('the completion suggester', () => {
  test.each([
    [{ prefix: 'foo', completion: { field: 'c' } }, ['fooo', 'foobar', 'foo bar', 'foo']],
    [{ prefix: 'FOO B', completion: { field: 'c' } }, ['foo bar']],
    [{ prefix: 'foo b', completion: { field: 'joined' } }, ['foo bar', 'foobar']],
    [{ prefix: 'the f', completion: { field: 'stop' } }, ['the fox']],
    [{ prefix: 'the', completion: { field: 'stop' } }, []],
    [{ prefix: '', completion: { field: 'c' } }, []],
    [{ prefix: 'foob', completion: { field: 'short' } }, ['foob']],
    [{ regex: 'fo+b', completion: { field: 'c' } }, ['foobar']],
    [{ prefix: 'f', completion: { field: 'c', size: 5, shard_size: 2 } }, ['föö', 'fooo']],
  ])('finds inputs by how they begin, the heaviest first: %j', async (suggestion, texts) => {
    expect(shown(await suggest(suggestion, [DOCS])).map(([text]) => text)).toEqual(texts);
  });

  test('finds the same over any number of segments, and no deleted document', async () => {
    const suggestion = { prefix: 'f', completion: { field: 'c', size: 9 } };
    const whole = shown(await suggest(suggestion, [DOCS]));
    expect(shown(await suggest(suggestion, [DOCS.slice(0, 1), DOCS.slice(1, 4), DOCS.slice(4)]))).toEqual(whole);
    const without = await suggest(suggestion, [DOCS], (id) => id === '4');
    expect(shown(without).map(([text]) => text)).toEqual(['föö', 'foobar', 'foo bar', 'foo']);
  });

  test('is worth what is equal at the start, where edits are allowed', async () => {
    const fuzzy = { prefix: 'fooa', completion: { field: 'c', fuzzy: true, size: 9 } };
    expect(shown(await suggest(fuzzy, [DOCS]))).toEqual([
      ['fooo', 15],
      ['foobar', 9],
      ['foo bar', 6],
      ['foo', 3],
    ]);
    const letters = {
      prefix: 'fö',
      completion: { field: 'c', fuzzy: { min_length: 1, unicode_aware: true }, size: 9 },
    };
    expect(shown(await suggest(letters, [DOCS])).length).toBeGreaterThan(1);
  });

  test('shows each document once, and each text once where asked', async () => {
    const docs = [
      { c: ['foo', 'foo bar'] },
      { c: { input: ['foo', 'fox'], weight: 3 } },
      { c: [{ input: 'foo', weight: 2 }] },
    ];
    expect(shown(await suggest({ prefix: 'f', completion: { field: 'c' } }, [docs]))).toEqual([
      ['foo', 3],
      ['foo', 2],
      ['foo', 1],
    ]);
    const once = { prefix: 'f', completion: { field: 'c', skip_duplicates: true } };
    expect(shown(await suggest(once, [docs]))).toEqual([
      ['foo', 3],
      ['foo bar', 1],
    ]);
  });

  test('shows the document', async () => {
    const entry = await suggest({ prefix: 'foo b', completion: { field: 'c' } }, [DOCS]);
    const [option] = entry.options;
    if (option?.kind !== 'completion') throw new Error('no completion');
    expect(option.document).toMatchObject({ ord: 1, id: '1', routing: null });
    expect(JSON.parse(Buffer.from(option.document.source ?? []).toString())).toEqual(DOCS[1]);
  });

  test('finds what a plain search over the inputs finds', async () => {
    const input = fc.stringMatching(/^[ab ]{1,5}$/).filter((text) => text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(input, fc.nat(5)), { minLength: 1, maxLength: 12 }),
        input,
        async (inputs, prefix) => {
          const docs = inputs.map(([text, weight]) => ({ c: { input: text, weight } }));
          const key = (text: string): string => text.trim().split(/ +/).join('\u001f');
          const found = shown(
            await suggest(
              { prefix, completion: { field: 'c', size: 20 } },
              [docs.slice(0, 5), docs.slice(5)].filter((one) => one.length > 0),
            ),
          );
          const expected = inputs.filter(([text]) => key(text).startsWith(key(prefix)));
          expect(found.map(([, weight]) => weight)).toEqual(expected.map(([, weight]) => weight).sort((a, b) => b - a));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('contexts of completions', () => {
  const docs = [
    { x: { input: 'foo red', contexts: { color: ['red', 'all'] } } },
    { x: { input: 'foo blue', weight: 2, contexts: { color: 'blue' } }, place: { lat: 1, lon: 1 } },
    { x: { input: 'foo', weight: 3 }, color: 'reddish', place: { lat: 9, lon: 9 } },
  ];
  const ask = async (contexts: object) => {
    const { options } = await suggest({ prefix: 'foo', completion: { field: 'x', contexts } }, [docs]);
    return options.map((option) => [option.text, option.score, option.kind === 'completion' ? option.contexts : []]);
  };

  test('are given with the input, or by other fields of the document', async () => {
    expect(await ask({ color: 'red' })).toEqual([['foo red', 1, [{ name: 'color', values: ['red'] }]]]);
    expect(await ask({ color: { context: 'red', prefix: true, boost: 2 } })).toEqual([
      ['foo', 6, [{ name: 'color', values: ['reddish'] }]],
      ['foo red', 2, [{ name: 'color', values: ['red'] }]],
    ]);
  });

  test('are any of those asked for, and each that fits is shown', async () => {
    expect(await ask({ color: ['all', { context: 'red', boost: 3 }, 'blue'] })).toEqual([
      ['foo red', 3, [{ name: 'color', values: ['all', 'red'] }]],
      ['foo blue', 2, [{ name: 'color', values: ['blue'] }]],
    ]);
  });

  test('of places are cells of the globe with their neighbours', async () => {
    expect(await ask({ place: { lat: 1, lon: 1 } })).toEqual([['foo blue', 2, [{ name: 'place', values: ['s00t'] }]]]);
    expect((await ask({ place: { context: { lat: 1, lon: 1 }, precision: 1 } })).map(([text]) => text)).toEqual([
      'foo',
      'foo blue',
    ]);
    expect(await ask({ place: 's00m' })).toHaveLength(1);
  });

  test.each([
    [{}, 'Missing mandatory contexts in context query'],
    [{ nope: 'a' }, 'Unknown context name [nope], must be one of [color, place]'],
    [{ color: { context: 'a', boost: 0 } }, 'boost must be greater than 0'],
    [{ color: { x: 1 } }, '[category] unknown field [x]'],
    [{ place: { x: 1 } }, '[geo] unknown field [x]'],
  ])('are refused: %j', async (contexts, reason) => {
    await expect(ask(contexts)).rejects.toThrow(reason);
  });

  test('are refused where the field has none', async () => {
    const suggestion = { prefix: 'f', completion: { field: 'c', contexts: { color: 'red' } } };
    await expect(suggest(suggestion, [DOCS])).rejects.toThrow("suggester [c] doesn't expect any context");
  });
});

describe('a document is refused', () => {
  test.each([
    [{ c: 1 }, 'expected text or object, but got VALUE_NUMBER'],
    [{ c: { input: 1 } }, 'input must be a string or array, but was [VALUE_NUMBER]'],
    [{ c: { input: ['a', null] } }, 'input array must have string values, but was [VALUE_NULL]'],
    [{ c: { input: 'a', weight: -1 } }, 'weight must be in the interval [0..2147483647], but was [-1]'],
    [{ c: { input: 'a', weight: 1.5 } }, 'weight must be an integer, but was [1.5]'],
    [{ c: { input: 'a', foo: 1 } }, 'unknown field name [foo], must be one of [input, weight, contexts]'],
    [{ c: { input: 'a', contexts: { a: 'b' } } }, 'contexts field is not supported for field: [c]'],
    [{ c: 'a\u001fb' }, 'UTF-16 codepoint [0x1f] at position 1 is a reserved character'],
    [{ x: 'a' }, 'Contexts are mandatory in context enabled completion field [x]'],
    [{ x: { input: 'a', contexts: { zz: 'r' } } }, 'Unknown context name [zz], must be one of [color, place]'],
  ])('%j', (doc, reason) => {
    let told = '';
    try {
      memoryContext(MAPPING, [[{ id: '1', source: JSON.stringify(doc) }]]);
    } catch (error) {
      const { causedBy } = error as { readonly causedBy?: Error };
      told = `${String(error)} ${String(causedBy?.message)}`;
    }
    expect(told).toContain(reason);
  });
});
