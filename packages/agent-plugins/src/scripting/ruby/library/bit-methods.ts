/**
 * Integers: bits in a mask. Numbers: what distinguishes the kinds.
 */
import { indexArgument } from '../arguments/arguments.ts';
import { INTEGER, type Methods, NUMERIC, numberOf, type Value } from '../values/ruby-value.ts';

const masked = (self: number | bigint, mask: Value | undefined): readonly [bits: bigint, mask: bigint] => {
  const wanted = typeof mask === 'bigint' ? mask : BigInt(indexArgument(mask));
  return [BigInt(self) & wanted, wanted];
};

const BITS: Methods<number | bigint> = {
  'allbits?': (_machine, self, [mask]) => {
    const [bits, wanted] = masked(self, mask);
    return bits === wanted;
  },
  'anybits?': (_machine, self, [mask]) => masked(self, mask)[0] !== 0n,
  'nobits?': (_machine, self, [mask]) => masked(self, mask)[0] === 0n,
};

export function defineBits(): void {
  INTEGER.define(BITS);
  NUMERIC.define({
    '+@': (_machine, self) => self,
    'real?': () => true,
    real: (_machine, self) => self,
    'finite?': (_machine, self) => Number.isFinite(numberOf(self) ?? 0),
  });
}
