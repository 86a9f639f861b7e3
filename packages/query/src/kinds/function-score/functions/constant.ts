/**
 * A function that is only a weight.
 */
export interface ConstantFunction {
  readonly kind: 'constant';
}

export function readConstant(): ConstantFunction {
  return { kind: 'constant' };
}
