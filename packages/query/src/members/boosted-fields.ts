/**
 * Field patterns with their own factors, as `fields` lists them: `name`, `name^3`, `title*^2`.
 */
import { ValueReader } from '@shoal/core';
import { LIST_ENTRIES_MAX } from '../node/query-node.ts';
import { notANumber } from './request-values.ts';

export interface BoostedField {
  readonly pattern: string;
  readonly boost: number;
}

export function parseBoostedField(text: string): BoostedField {
  const caret = text.lastIndexOf('^');
  if (caret < 0) return { pattern: text, boost: 1 };
  const boost = Number(text.slice(caret + 1));
  if (caret === text.length - 1 || Number.isNaN(boost)) {
    throw notANumber(text.slice(caret + 1));
  }
  return { pattern: text.slice(0, caret), boost };
}

export function readBoostedFields(r: ValueReader, field: string): readonly BoostedField[] {
  return r.list(field, readBoostedField, LIST_ENTRIES_MAX);
}

function readBoostedField(value: unknown, path: string): BoostedField {
  const r = ValueReader.of(value, path);
  return { pattern: r.string('pattern'), boost: r.number('boost') };
}
