/**
 * The field that an aggregation takes its values from, with the options that all aggregations over a field share.
 */
import { illegalArgument, ValueReader } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import type { OptionReader } from './option-reader.ts';

export interface ValuesSource {
  readonly field: string;
  /** Value of documents that have none; null: they are left out. */
  readonly missing: QueryValue;
  /** Format in which values are shown; null: the field's own. */
  readonly format: string | null;
  /** Kind to assume where an index does not have the field, as the request names it; null: no values there. */
  readonly valueType: string | null;
}

export function parseValuesSource(options: OptionReader): ValuesSource {
  options.refuse('script');
  const field = options.text('field');
  if (field === null) throw illegalArgument('Required one of fields [field, script], but none were specified. ');
  return {
    field,
    missing: options.scalar('missing'),
    format: options.text('format'),
    valueType: options.string('value_type') ?? options.string('valueType'),
  };
}

export function readValuesSource(r: ValueReader): ValuesSource {
  return {
    field: r.string('field'),
    missing: r.item('missing', ValueReader.asScalar),
    format: r.optionalString('format'),
    valueType: r.optionalString('valueType'),
  };
}
