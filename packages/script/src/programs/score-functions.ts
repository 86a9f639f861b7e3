/**
 * Functions that scripts of scores may call: saturation, sigmoid, decays, and comparisons of vectors.
 */
import type { ContextFunction } from '../compile/compiler.ts';
import { DECAY_FUNCTIONS } from './decay-functions.ts';
import { VECTOR_FUNCTIONS } from './vector-functions.ts';

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
  ...DECAY_FUNCTIONS,
  ...VECTOR_FUNCTIONS,
};
