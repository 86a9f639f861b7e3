/**
 * Declaration of `geo_point`: points of the globe, in any of the forms that `parsePoint` reads.
 */
import { isShoalError } from '@shoal/core';
import { parsePoint } from '@shoal/geo';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { flag, SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

export const GEO_POINT: DeclaredType = {
  // A list that begins with a number is a point, any other one is of points.
  isWhole: (value) => !Array.isArray(value) || typeof value[0] === 'number',
  parameters: new Map([...SCALAR_PARAMETERS, ['ignore_z_value', flag(true, 'always')]]),
  check: (name, { null_value: nullValue, ignore_z_value: ignoresZ }) => {
    if (nullValue === undefined || nullValue === null) return;
    try {
      parsePoint(nullValue, { ignoresZ: ignoresZ !== false });
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw mapperParsing(`Error parsing [null_value] on field [${name}]: ${error.reason}`, error);
    }
  },
  settings: (value) => ({ ...NO_SETTINGS, ignoresZ: value('ignore_z_value') !== false }),
  storedValue: (value, { ignoresZ }) => {
    try {
      const { lat, lon } = parsePoint(value, { ignoresZ });
      return `${lat},${lon}`;
    } catch (error) {
      if (isShoalError(error)) return null;
      throw error;
    }
  },
};
