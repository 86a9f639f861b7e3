/**
 * Functions that scripts of scores may call: saturation, sigmoid and decay of numbers.
 */
import type { ContextFunction } from '../compile/compiler.ts';
import { illegalArgumentException } from '../values/java-exception.ts';

type Curve = (distance: number, scale: number, decay: number) => number;

const CURVES: readonly (readonly [name: string, curve: Curve])[] = [
  ['Exp', (distance, scale, decay) => Math.exp((Math.log(decay) / scale) * distance)],
  ['Gauss', (distance, scale, decay) => Math.exp((0.5 * distance ** 2 * Math.log(decay)) / (0.5 * scale ** 2))],
  ['Linear', (distance, scale, decay) => Math.max(0, (scale / (1 - decay) - distance) / (scale / (1 - decay)))],
];

const DECAY_PARAMETERS = ['double', 'double', 'double', 'double', 'double'];

function decay(curve: Curve): ContextFunction {
  return {
    parameters: DECAY_PARAMETERS,
    returns: 'double',
    run: (origin: number, scale: number, offset: number, share: number, value: number) => {
      if (!(scale > 0)) throw illegalArgumentException(`[scale] must be above 0, got ${scale}`);
      return curve(Math.max(0, Math.abs(value - origin) - offset), scale, share);
    },
  };
}

export const SCORE_FUNCTIONS: Readonly<Record<string, ContextFunction>> = {
  saturation: {
    parameters: ['double', 'double'],
    returns: 'double',
    run: (value: number, k: number) => value / (k + value),
  },
  sigmoid: {
    parameters: ['double', 'double', 'double'],
    returns: 'double',
    run: (value: number, k: number, a: number) => value ** a / (k ** a + value ** a),
  },
  ...Object.fromEntries(CURVES.map(([name, curve]) => [`decayNumeric${name}`, decay(curve)])),
};
