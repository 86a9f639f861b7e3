import { describe, expect, test } from 'vitest';
import { ScriptPoint } from '../library/document-values.ts';
import { JavaDateTime } from '../time/instants.ts';
import { DECAY_FUNCTIONS } from './decay-functions.ts';

const call = (name: string, ...given: unknown[]): unknown => DECAY_FUNCTIONS[name]?.run(...given);
const DAY_MS = 86_400_000;

describe('decays of a script', () => {
  test.each(['Linear', 'Exp', 'Gauss'])(
    '%s are 1 at the origin and within the offset, and the decay at the scale',
    (curve) => {
      const at = (days: number): unknown =>
        call(
          `decayDate${curve}`,
          '2020-01-01',
          '10d',
          '1d',
          0.3,
          new JavaDateTime(Date.UTC(2020, 0, 1) + days * DAY_MS),
        );
      expect([at(0), at(1), at(-1)]).toEqual([1, 1, 1]);
      expect(at(11)).toBeCloseTo(0.3, 12);
      expect(at(-11)).toBeCloseTo(0.3, 12);
      expect(call(`decayNumeric${curve}`, 5, 10, 1, 0.3, 16)).toBeCloseTo(0.3, 12);
      // A tenth of a degree of latitude is 11,120 m.
      const far = call(`decayGeo${curve}`, '50,5', '11.1195km', '0km', 0.3, new ScriptPoint(50.1, 5));
      expect(far).toBeCloseTo(0.3, 4);
      expect(call(`decayGeo${curve}`, '50,5', '10km', '2km', 0.3, new ScriptPoint(50.01, 5))).toBe(1);
    },
  );

  test('take texts of a script', () => {
    const types = Object.values(DECAY_FUNCTIONS).flatMap(({ parameters }) => parameters);
    expect([...new Set(types)].filter((type) => type !== 'double').sort()).toEqual([
      'java.lang.String',
      'org.elasticsearch.common.geo.GeoPoint',
      'org.elasticsearch.script.JodaCompatibleZonedDateTime',
    ]);
  });

  test('refuse what is no origin or distance', () => {
    const at = new JavaDateTime(0);
    expect(() => call('decayDateExp', 'now', '1d', '0', 0.5, at)).toThrow('now is not allowed');
    expect(() => call('decayDateExp', 'x', '1d', '0', 0.5, at)).toThrow('failed to parse date field [x]');
    expect(() => call('decayGeoExp', '1,2', 'far', '0', 0.5, new ScriptPoint(1, 2))).toThrow('For input string');
  });
});
