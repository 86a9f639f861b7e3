import { expect, test } from 'vitest';
import { createAnalyzers } from '../../registry/analyzer-registry.ts';
import type { ComponentOptions } from '../../tokens/component-options.ts';

/** Terms with their positions, as `condition` leaves them: only terms of more than one letter go through `filters`. */
function conditioned(text: string, filters: ComponentOptions, source = 'token.term.length() > 1'): string {
  return analyzed(text, { 'filter.x.type': 'condition', 'filter.x.script.source': source, ...filters });
}

function analyzed(text: string, declared: ComponentOptions): string {
  const analyzer = { 'analyzer.a.tokenizer': 'whitespace', 'analyzer.a.filter.0': 'x' };
  const settings = Object.entries({ ...analyzer, ...declared }).map(([key, value]) => [`index.analysis.${key}`, value]);
  const found = createAnalyzers(Object.fromEntries(settings)).get('a');
  const out: string[] = [];
  found?.analyze(text, (term, start, end, increment) => out.push(`${term}+${increment}@${start}-${end}`));
  return out.join(' ');
}

const stop = { 'filter.x.filter.0': 'lowercase', 'filter.x.filter.1': 'mine', 'filter.mine.type': 'stop' };

test.each([
  ['THE a BB the the c dd the', 'a+2@4-5 bb+1@6-8 c+3@17-18 dd+1@19-21'],
  ['A the B the the CC', 'A+1@0-1 B+2@6-7 cc+3@16-18'],
  ['the', ''],
  ['the the a', 'a+3@8-9'],
])('%s: what the filters drop leaves a gap', (text, tokens) => {
  expect(conditioned(text, stop)).toBe(tokens);
});

test.each([
  ['aa b cc dd e f gg', 'aa+1@0-2 b+1@3-4 cc+1@5-7 cc dd+0@5-10 dd+1@8-10 e+1@11-12 f+1@13-14 gg+1@15-17'],
  ['a bb cc d', 'a+1@0-1 bb+1@2-4 bb cc+0@2-7 cc+1@5-7 d+1@8-9'],
])('%s: neighbours that go through are one stream', (text, tokens) => {
  expect(conditioned(text, { 'filter.x.filter.0': 'shingle' })).toBe(tokens);
});

test('the script sees all of a token', () => {
  const source =
    "token.position >= 1 && token.positionIncrement > 0 && token.startOffset > 0 && token.endOffset > 0 && token.positionLength == 1 && token.type == 'word' && !token.keyword && token.getTerm().length() > 0";
  expect(conditioned('Vote FOR Pedro', { 'filter.x.filter.0': 'uppercase' }, source)).toBe(
    'Vote+1@0-4 FOR+1@5-8 PEDRO+1@9-14',
  );
});

test('predicate_token_filter keeps what its script says yes to', () => {
  const declared = { 'filter.x.type': 'predicate_token_filter', 'filter.x.script.source': 'token.position % 2 == 1' };
  expect(analyzed('a b c d e', declared)).toBe('b+2@2-3 d+2@6-7');
});

test.each([
  [{ 'filter.x.filter.0': 'nope' }, 'refers to undefined token filter [nope]'],
  [{}, 'Empty list of filters provided to tokenfilter [x]'],
  [{ 'filter.x.filter.0': 'lowercase', 'filter.x.script.source': 'token.nope' }, 'compile error'],
  [{ 'filter.x.filter.0': 'lowercase', 'filter.x.script.lang': 'mustache' }, 'mustache'],
])('%j is refused', (declared, reason) => {
  expect(() => conditioned('a', declared)).toThrow(reason);
});

test('a script that fails refuses the text', () => {
  expect(() => conditioned('ab', { 'filter.x.filter.0': 'lowercase' }, '1 / (token.position) == 1')).toThrow(
    'runtime error',
  );
});
