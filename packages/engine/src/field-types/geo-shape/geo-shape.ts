/**
 * `geo_shape` and `shape`: shapes on the globe and in a plane.
 */
import { GLOBE_GRID, PLANE_GRID } from '@shoal/geo';
import type { FieldType } from '../contract/field-type.ts';
import { shapeType } from './shape-type.ts';

export const GEO_SHAPE: FieldType = shapeType(GLOBE_GRID);

export const SHAPE: FieldType = shapeType(PLANE_GRID);
