/**
 * Documents that a walk is in: values go into the root, or into one of a nested object.
 */
import type { FieldMapping } from '@shoal/schema';
import type { IndexedValue } from '../field-types/contract/indexed-value.ts';

export interface Frame {
  /** Path of the nested object; '' for the root. */
  readonly path: string;
  readonly fields: FieldMapping[];
  readonly values: IndexedValue[];
}

export function isBelow(path: string, frame: Frame): boolean {
  return frame.path === '' || path.startsWith(`${frame.path}.`);
}

export function addValues(into: Omit<Frame, 'path'>, { fields, values }: Frame): void {
  for (let i = 0; i < fields.length; i++) {
    into.fields.push(fields[i] as FieldMapping);
    into.values.push(values[i] as IndexedValue);
  }
}
