/**
 * `geo_shape`: shapes on the globe.
 */
import { GLOBE_GRID } from '@shoal/geo';
import type { FieldType } from '../contract/field-type.ts';
import { shapeType } from './shape-type.ts';

export const GEO_SHAPE: FieldType = shapeType(GLOBE_GRID);
