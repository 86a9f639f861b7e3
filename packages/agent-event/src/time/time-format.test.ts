import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJavaTimeFormat, compileJodaFormat } from './time-format.ts';
import { Timestamp } from './timestamp.ts';

const FORMATS = ['YYYY.MM.dd', "xxxx-'W'ww", 'D', 'HH', 'a', "yyyy'T'hh:mm", 'mm:ss', 'ss.SSS', 'SSSSSS', "'s'", 'E k'];
const near = fc.constantFrom(
  0,
  1,
  999,
  1_000,
  59_999,
  60_000,
  3_599_999,
  3_600_000,
  43_200_000,
  86_399_999,
  86_400_000,
);
const time = fc
  .tuple(fc.constantFrom(0, -86_400_000, 1_767_225_600_000, 1_798_761_599_000), near, fc.integer({ min: 0, max: 999 }))
  .map(([base, more, nanos]) => new Timestamp(base + more, nanos));

test.each([
  ['Joda', compileJodaFormat, FORMATS],
  ['java.time', compileJavaTimeFormat, ['uuuu-MM-dd', 'A', 'n', 'ss', 'QQ', 'HH:mm']],
])('a format of %s prints each time as if it were the first', (_, compile, formats) => {
  fc.assert(
    fc.property(fc.constantFrom(...formats), fc.array(time, { maxLength: 20 }), (format, times) => {
      const kept = compile(format);
      expect(times.map(kept)).toEqual(times.map((one) => compile(format)(one)));
    }),
    { numRuns: 500 },
  );
});
