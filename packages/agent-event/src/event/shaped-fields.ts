/**
 * Maps of fields as a shape and values. The same names in the same order have the same shape object, so that what was found
 * out about it serves the next block of lines too.
 */
import type { EventMap, EventValue } from '../values/event-value.ts';
import { EventShape, type ShapeMap } from './event-shape.ts';

/** Each with the shapes that came of it; inputs have one or two. */
const FIRST_SHAPES_MAX = 32;
const firstShapes = new Map<string, EventShape>();

export interface ShapedFields {
  readonly shape: EventShape;
  /** In the order of the slots. */
  readonly values: readonly EventValue[];
}

export function shapedFields(fields: EventMap): ShapedFields {
  const values: EventValue[] = [];
  const key = JSON.stringify(namesOf(fields, values));
  let shape = firstShapes.get(key);
  if (shape === undefined) {
    if (firstShapes.size >= FIRST_SHAPES_MAX) firstShapes.clear();
    shape = new EventShape(shapeMap(fields, { count: 0 }), values.length);
    firstShapes.set(key, shape);
  }
  return { shape, values };
}

type Names = readonly (string | readonly [string, Names])[];

function namesOf(map: EventMap, values: EventValue[]): Names {
  return [...map].map(([name, value]) => {
    if (value instanceof Map) return [name, namesOf(value, values)] as const;
    values.push(value);
    return name;
  });
}

function shapeMap(map: EventMap, slots: { count: number }): ShapeMap {
  return new Map(
    [...map].map(([name, value]) => [name, value instanceof Map ? shapeMap(value, slots) : slots.count++] as const),
  );
}
