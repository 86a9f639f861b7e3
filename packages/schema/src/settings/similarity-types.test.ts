import { describe, expect, test } from 'vitest';
import { indexSimilarities } from './index-similarities.ts';

function declared(settings: Readonly<Record<string, unknown>>) {
  const flat = Object.entries(settings).map(([key, value]) => [`index.similarity.x.${key}`, String(value)]);
  return indexSimilarities(Object.fromEntries(flat)).get('x');
}

const DFR = { type: 'DFR', basic_model: 'g', after_effect: 'l', normalization: 'h1' };
const IB = { type: 'IB', distribution: 'll', lambda: 'df', normalization: 'no' };

describe('a similarity that an index declares', () => {
  test.each([
    [
      { ...DFR, basic_model: 'IF' },
      { kind: 'DFR', basicModel: 'if', afterEffect: 'l', normalization: { kind: 'h1', c: 1 } },
    ],
    [{ ...DFR, normalization: 'h3' }, { normalization: { kind: 'h3', mu: 800 } }],
    [{ ...DFR, normalization: 'h2', 'normalization.h2.c': 3 }, { normalization: { kind: 'h2', c: 3 } }],
    [{ ...DFR, normalization: 'z' }, { normalization: { kind: 'z', z: 0.3 } }],
    [IB, { kind: 'IB', distribution: 'll', lambda: 'df', normalization: { kind: 'no' } }],
    [
      { type: 'DFI', independence_measure: 'saturated' },
      { kind: 'DFI', measure: 'saturated' },
    ],
    [{ type: 'LMDirichlet' }, { kind: 'LMDirichlet', mu: 2000 }],
    [
      { type: 'LMJelinekMercer', lambda: 0.7 },
      { kind: 'LMJelinekMercer', lambda: 0.7 },
    ],
  ])('has its parameters and defaults: %j', (settings, expected) => {
    expect(declared(settings)).toMatchObject(expected);
  });

  test.each([
    [{ ...DFR, basic_model: 'zz' }, 'Unsupported BasicModel [zz], expected one of [ine, in, g, if]'],
    [{ ...DFR, basic_model: 'be' }, "Basic model [be] isn't supported anymore, please use another model."],
    [{ type: 'DFR', basic_model: 'g' }, 'Unsupported AfterEffect [null], expected one of [b, l]'],
    [{ ...DFR, after_effect: 'no' }, "After effect [no] isn't supported anymore, please use another effect."],
    [{ ...DFR, normalization: 'zz' }, 'Unsupported Normalization [zz]'],
    [{ ...DFR, 'normalization.h1.c': -1 }, 'illegal c value: -1.0, must be a non-negative finite value'],
    [{ ...DFR, foo: 1, bar: 2 }, 'Unknown settings for similarity of type [DFR]: [bar, foo]'],
    [{ ...DFR, normalization: 'z', 'normalization.z.z': 0.7 }, 'illegal z value: 0.7, must be in the range (0 .. 0.5)'],
    [{ ...IB, distribution: 'qq' }, 'Unsupported Distribution [qq]'],
    [{ ...IB, lambda: 'qq' }, 'Unsupported Lambda [qq]'],
    [{ type: 'DFI' }, 'Unsupported IndependenceMeasure [null], expected one of [standardized, saturated, chisquared]'],
    [{ type: 'LMDirichlet', mu: -1 }, 'illegal mu value: -1.0, must be a non-negative finite value'],
    [{ type: 'LMDirichlet', mu: 'a' }, 'Failed to parse float setting [mu] with value [a]'],
    [{ type: 'LMJelinekMercer', lambda: 2 }, 'lambda must be in the range (0 .. 1]'],
  ])('is refused: %j', (settings, reason) => {
    expect(() => declared(settings)).toThrow(reason);
  });
});
