/**
 * Declaration of `point`: points of a plane, in any of the forms that `parsePlanePoint` reads.
 */
import { isShoalError } from '@shoal/core';
import { parsePlanePoint } from '@shoal/geo';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import type { DeclaredType } from '../contract/declared-type.ts';
import { GEO_POINT } from '../geo-point/geo-point.ts';

export const POINT: DeclaredType = {
  ...GEO_POINT,
  check: (name, { null_value: nullValue, ignore_z_value: ignoresZ }) => {
    if (nullValue === undefined || nullValue === null) return;
    try {
      parsePlanePoint(nullValue, { ignoresZ: ignoresZ !== false });
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw mapperParsing(`Error parsing [null_value] on field [${name}]: ${error.reason}`, error);
    }
  },
  storedValue: (value, { ignoresZ }) => {
    try {
      return parsePlanePoint(value, { ignoresZ }).join(',');
    } catch (error) {
      if (isShoalError(error)) return null;
      throw error;
    }
  },
};
