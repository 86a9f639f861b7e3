/**
 * Token filter `cjk_bigram`: neighbouring characters of Chinese, Japanese and Korean text as pairs.
 *
 * Characters are neighbours when nothing stands between them in the text. One without neighbours comes out alone.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['han', '<IDEOGRAPHIC>'],
  ['hiragana', '<HIRAGANA>'],
  ['katakana', '<KATAKANA>'],
  ['hangul', '<HANGUL>'],
]);

export const cjkBigram: TokenFilterType = {
  type: 'cjk_bigram',
  options: ['ignored_scripts', 'output_unigrams'],
  create: (options) => cjkBigramFilter(readTypes(options), readFlag(options, 'output_unigrams', false)),
};

function readTypes(options: ComponentOptions): ReadonlySet<string> {
  const types = new Set(TYPES.values());
  for (const script of readList(options, 'ignored_scripts') ?? []) {
    const type = TYPES.get(script);
    if (type === undefined) {
      throw illegalArgument(`No enum constant org.apache.lucene.analysis.cjk.CJKBigramFilter.${script.toUpperCase()}`);
    }
    types.delete(type);
  }
  return types;
}

/** @param types token types that pairs are made of */
export function cjkBigramFilter(
  types: ReadonlySet<string> = new Set(TYPES.values()),
  hasUnigrams = false,
): TokenFilter {
  return { name: 'cjk_bigram', inSynonymRules: 'refused', transform: (tokens) => bigrams(tokens, types, hasUnigrams) };
}

interface Character {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly token: Token;
}

function* bigrams(tokens: Iterable<Token>, types: ReadonlySet<string>, hasUnigrams: boolean): Iterable<Token> {
  let run: Character[] = [];
  for (const token of tokens) {
    const isPart = types.has(token.type);
    const isNext = run.at(-1)?.end === token.start;
    if (!isPart || !isNext) {
      yield* ofRun(run, hasUnigrams);
      run = [];
    }
    if (isPart) run.push(...charactersOf(token));
    else yield token;
  }
  yield* ofRun(run, hasUnigrams);
}

/** Characters with offsets of their own, unless the term is not what stands in the text. */
function charactersOf(token: Token): readonly Character[] {
  const isAsInText = token.term.length === token.end - token.start;
  let at = token.start;
  return [...token.term].map((text) => {
    const start = isAsInText ? at : token.start;
    at += text.length;
    return { text, start, end: isAsInText ? at : token.end, token };
  });
}

function* ofRun(run: readonly Character[], hasUnigrams: boolean): Iterable<Token> {
  for (const [i, character] of run.entries()) {
    const next = run[i + 1];
    const increment = i === 0 ? Math.max(1, character.token.increment) : 1;
    const single = { ...character.token, term: character.text, start: character.start, end: character.end, increment };
    if (hasUnigrams || run.length === 1) yield { ...single, type: '<SINGLE>' };
    if (next === undefined) continue;
    yield {
      ...single,
      term: character.text + next.text,
      end: next.end,
      increment: hasUnigrams ? 0 : increment,
      type: '<DOUBLE>',
      positionLength: hasUnigrams ? 2 : 1,
    };
  }
}
