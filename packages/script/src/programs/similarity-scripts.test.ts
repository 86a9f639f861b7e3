import { describe, expect, test } from 'vitest';
import { checkScriptedSimilarity, type ScriptedSimilarity } from './similarity-scripts.ts';

function similarity(source: string, weight: string | null = null): ScriptedSimilarity {
  const script = { lang: 'painless', source, id: null };
  return { kind: 'scripted', script, weightScript: weight === null ? null : { ...script, source: weight } };
}

describe('a scripted similarity', () => {
  test.each([
    ['weight * doc.freq / doc.length', 'query.boost * term.docFreq'],
    ['1', null],
    ['doc.length == 0 ? 1.0 : Math.log(1 + doc.freq) / doc.length', null],
  ])('%s is taken', (script, weight) => {
    expect(() => checkScriptedSimilarity(similarity(script, weight))).not.toThrow();
  });

  test.each([
    ['foo bar', null, 'compile error'],
    ['params.a', null, 'compile error'],
    ['1', 'doc.freq', 'compile error'],
    ['return -1', null, 'Similarities should not return negative scores:\n-1.0 = score from ScriptedSimilarity('],
    ['1 / doc.freq', null, 'Similarity scores should not decrease when term frequency increases:\n1.0 = score'],
    ['doc.length', null, 'Similarity scores should not increase when norm increases:\n'],
  ])('%s is refused', (script, weight, reason) => {
    expect(() => checkScriptedSimilarity(similarity(script, weight))).toThrow(reason);
  });

  test('is told what its script saw', () => {
    expect(() => checkScriptedSimilarity(similarity('return -1', '3'))).toThrow(
      'computed from:\n  3.0 = weight\n  2.0 = query.boost\n  1100 = field.docCount\n  2000 = field.sumDocFreq\n  3000 = field.sumTotalTermFreq\n  100 = term.docFreq\n  130 = term.totalTermFreq\n  1 = doc.freq\n  20 = doc.length\n',
    );
  });

  test('that is stored is looked for in vain', () => {
    const stored = { lang: 'painless', source: null, id: 'zz' };
    const missing: ScriptedSimilarity = { kind: 'scripted', script: stored, weightScript: null };
    expect(() => checkScriptedSimilarity(missing)).toThrow('unable to find script [zz] in cluster state');
  });
});
