/**
 * Where an aggregation takes its values from, with the options that all such aggregations share: a field, a script, or a script
 * that makes other values of those of a field.
 */
import { illegalArgument, ValueReader } from '@shoal/core';
import { type QueryValue, readField } from '@shoal/query';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import type { OptionReader } from './option-reader.ts';
import { parseValueType } from './value-type.ts';

export interface ValuesSource {
  /** Empty where a script alone makes the values. */
  readonly field: string;
  /** Value of documents that have none; null: they are left out. */
  readonly missing: QueryValue;
  /** Format in which values are shown; null: the field's own. */
  readonly format: string | null;
  /** Kind to assume where an index does not have the field, as the request names it; null: no values there. */
  readonly valueType: string | null;
  /** Makes the values, of a document or of each value of the field; null: they are those of the field. */
  readonly script: ScriptRequest | null;
  /** The request names a time zone, which only dates have; left out: it does not. */
  readonly hasZone?: boolean;
}

/** Stands for what a request lacks, until that is told. */
const NO_SOURCE: ValuesSource = { field: '', missing: null, format: null, valueType: null, script: null };

/** A field, or a script, or both. */
export function parseValuesSource(options: OptionReader): ValuesSource {
  const script = parseSourceScript(options);
  return sourceOf(options, script);
}

/** A field: scripts are unknown here. */
export function parseFieldSource(options: OptionReader): ValuesSource {
  if (options.has('script')) throw options.unknown('script');
  return sourceOf(options, null);
}

/** Either a field or a script, in the member `name` of other options. */
export function parseFieldOrScript(options: OptionReader, name: string): ValuesSource {
  const inner = options.object(name, 'field_config');
  if (inner === null) {
    options.lack(illegalArgument(`Required [${name}]`));
    return NO_SOURCE;
  }
  return readField(options.type, { name, value: inner.node, at: inner.node.at }, () => {
    const source = parseValuesSource(inner);
    inner.finish();
    if (source.field === '' || source.script === null) return source;
    throw illegalArgument('[field] and [script] cannot both be configured.  Please specify one or the other.');
  });
}

/** One of several sources: a field, or a script, or both. */
export function parseFieldConfig(options: OptionReader): ValuesSource {
  if (options.has('field') || options.has('script')) return parseValuesSource(options);
  throw illegalArgument('[field] and [script] cannot both be null.  Please specify one or the other.');
}

function parseSourceScript(options: OptionReader): ScriptRequest | null {
  const node = options.ofKind('script', ['string', 'object']);
  return node && parseScript(node);
}

function sourceOf(options: OptionReader, script: ScriptRequest | null): ValuesSource {
  const field = options.text('field');
  if (field === null && script === null) {
    options.lack(illegalArgument('Required one of fields [field, script], but none were specified. '));
  }
  return {
    field: field ?? '',
    missing: options.scalar('missing'),
    format: options.text('format'),
    valueType: parseValueType(options),
    script,
    ...(options.has('time_zone') && { hasZone: true }),
  };
}

export function readValuesSource(r: ValueReader): ValuesSource {
  return {
    field: r.string('field'),
    missing: r.item('missing', ValueReader.asScalar),
    format: r.optionalString('format'),
    valueType: r.optionalString('valueType'),
    script: r.has('script') ? readScript(r.object('script')) : null,
    ...(r.has('hasZone') && { hasZone: r.boolean('hasZone') }),
  };
}
