import type { SuggestEntry } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { memoryContext, shardRequest, type TestDoc } from '../query/memory-searcher.test-support.ts';
import { executeSuggest } from './execute-suggest.ts';

const MAPPING = { properties: { title: { type: 'text' }, tag: { type: 'keyword' } } };
const TITLES = [
  'nobel prize winner',
  'noble prize',
  'the nobel prize in physics',
  'american ace',
  'captain america',
  'captain of the guard',
];
const DOCS: readonly TestDoc[] = TITLES.map((title, n) => ({ id: `${n}`, source: JSON.stringify({ title }) }));
const RUNNING = { isStopped: false };
const CLOCK = { monotonicMs: () => 0, wallMs: () => 0 };

/** The one suggestion of a request, over segments of these sizes. */
async function suggest(suggestion: object, sizes: readonly number[] = [DOCS.length]): Promise<readonly SuggestEntry[]> {
  let from = 0;
  const segments = sizes.map((size) => {
    from += size;
    return DOCS.slice(from - size, from);
  });
  const context = memoryContext(MAPPING, segments);
  const [entries] = await executeSuggest(context, shardRequest({ suggest: { a: suggestion } }), RUNNING, CLOCK);
  return entries ?? [];
}

const texts = ({ options }: SuggestEntry): readonly string[] => options.map(({ text }) => text);

describe('the term suggester', () => {
  test('gives each word that the index lacks the words it may be, with where it stands', async () => {
    expect(await suggest({ text: 'Noble prise', term: { field: 'title' } })).toEqual([
      { text: 'noble', offset: 0, length: 5, cutoff: null, options: [] },
      {
        text: 'prise',
        offset: 6,
        length: 5,
        cutoff: null,
        options: [{ kind: 'term', text: 'prize', score: Math.fround(0.8), freq: 3 }],
      },
    ]);
  });

  test('counts documents over all segments', async () => {
    const term = { field: 'title', suggest_mode: 'always', max_term_freq: 10 };
    const whole = await suggest({ text: 'captain nobel prise', term });
    expect(await suggest({ text: 'captain nobel prise', term }, [2, 3, 1])).toEqual(whole);
  });

  test.each([
    ['missing', []],
    ['popular', ['nobel']],
    ['always', ['nobel']],
  ])('corrects words that are in the index by suggest_mode %s', async (mode, expected) => {
    const [entry] = await suggest({ text: 'noble', term: { field: 'title', suggest_mode: mode, max_term_freq: 10 } });
    expect(entry && texts(entry)).toEqual(expected);
  });

  test('leaves rare words, short words and other beginnings out where it is told to', async () => {
    const found = async (options: object): Promise<readonly string[]> => {
      const [entry] = await suggest({ text: 'nobbl', term: { field: 'title', ...options } });
      return entry === undefined ? [] : texts(entry);
    };
    expect(await found({})).toEqual(['nobel', 'noble']);
    expect(await found({ min_doc_freq: 1 })).toEqual(['nobel']);
    expect(await found({ min_word_length: 6 })).toEqual([]);
    expect(await found({ prefix_length: 4 })).toEqual([]);
    expect(await found({ max_edits: 1 })).toEqual(['nobel']);
    expect(await found({ accuracy: 0.7 })).toEqual(['nobel']);
    expect(await found({ shard_size: 1 })).toEqual(['nobel']);
  });

  test('refuses fields and analyzers that are not there, and a suggestion without a text', async () => {
    await expect(suggest({ text: 'x', term: { field: 'nope' } })).rejects.toThrow('no mapping found for field [nope]');
    await expect(suggest({ text: 'x', term: { field: 'title', analyzer: 'nope' } })).rejects.toThrow(
      "analyzer [nope] doesn't exists",
    );
    await expect(suggest({ term: { field: 'title' } })).rejects.toThrow('The required text option is missing');
  });
});

describe('the phrase suggester', () => {
  test('gives whole texts that are more likely than the one given', async () => {
    const [entry] = await suggest({
      text: 'nobl priez',
      phrase: { field: 'title', max_errors: 2, highlight: { pre_tag: '<b>', post_tag: '</b>' } },
    });
    expect(entry?.options[0]).toMatchObject({ text: 'nobel prize', highlighted: '<b>nobel prize</b>' });
    expect(entry).toMatchObject({ text: 'nobl priez', offset: 0, length: 10 });
    const scores = entry?.options.map(({ score }) => score) ?? [];
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(entry?.cutoff ?? Number.POSITIVE_INFINITY);
  });

  test('marks runs of corrected words alone', async () => {
    const highlight = { pre_tag: '[', post_tag: ']' };
    const [entry] = await suggest({
      text: 'captian prize winer',
      phrase: { field: 'title', max_errors: 3, highlight },
    });
    expect(entry?.options[0]).toMatchObject({ highlighted: '[captain] prize [winner]' });
  });

  test('keeps what matches a document, or says which does', async () => {
    const collate = { query: { source: { match_phrase: { title: '{{suggestion}}' } } } };
    const ask = (prune: boolean) =>
      suggest({ text: 'nobl prize', phrase: { field: 'title', collate: { ...collate, prune }, confidence: 0 } });
    const [kept] = await ask(false);
    const [all] = await ask(true);
    expect(kept && texts(kept)).toEqual(['nobel prize', 'noble prize']);
    const matching = all?.options.filter((option) => option.kind === 'phrase' && option.isCollateMatch === true);
    expect(matching?.map(({ text }) => text)).toEqual(['nobel prize', 'noble prize']);
    expect(all?.options.length).toBeGreaterThan(2);
  });

  test('says nothing of texts of too many words', async () => {
    const [entry] = await suggest({ text: 'nobl priez', phrase: { field: 'title', token_limit: 2 } });
    expect(entry?.options).toEqual([]);
  });

  test('judges a bounded number of texts', async () => {
    const words = [...'abcdefgh'].flatMap((a) => [...'abcdefgh'].map((b) => ({ tag: `wo${a}${b}` })));
    const docs = words.map((source, n) => ({ id: `${n}`, source: JSON.stringify(source) }));
    const generator = { field: 'tag', size: 64, min_word_length: 1, max_inspections: 64, suggest_mode: 'always' };
    const phrase = {
      field: 'tag',
      analyzer: 'whitespace',
      max_errors: 9,
      shard_size: 64,
      direct_generator: [{ ...generator, max_term_freq: 100 }],
    };
    const text = 'woaa wobb wocc wodd woee woff wogg wohh';
    const context = memoryContext(MAPPING, [docs]);
    const request = shardRequest({ suggest: { a: { text, phrase } } });
    await expect(executeSuggest(context, request, RUNNING, CLOCK)).rejects.toMatchObject({
      status: 400,
      type: 'illegal_argument_exception',
    });
  });

  test('ends when nobody waits for it', async () => {
    const request = shardRequest({ suggest: { a: { text: 'nobl priez', phrase: { field: 'title' } } } });
    const stopped = executeSuggest(memoryContext(MAPPING, [DOCS]), request, { isStopped: true }, CLOCK);
    await expect(stopped).rejects.toMatchObject({ type: 'task_cancelled_exception' });
  });
});
