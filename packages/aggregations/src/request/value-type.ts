/**
 * `value_type`: the type that a request says its values are of.
 */
import { illegalArgument, parsingException } from '@shoal/core';
import { readString } from '@shoal/query';
import type { FieldKind } from '@shoal/schema';
import type { OptionReader } from './option-reader.ts';

/** Kinds of fields by the names that requests may give them. */
const VALUE_TYPES: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ['string', 'keyword'],
  ['long', 'long'],
  ['integer', 'long'],
  ['short', 'long'],
  ['byte', 'long'],
  ['number', 'long'],
  ['numeric', 'long'],
  ['double', 'double'],
  ['float', 'double'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['ip', 'ip'],
]);

/** Kind of values that a type names; null: the request names none. */
export function declaredKind(valueType: string | null): FieldKind | null {
  return VALUE_TYPES.get(valueType ?? '') ?? null;
}

/** null where the request names none. @throws ShoalError for a name that is none */
export function parseValueType(options: OptionReader): string | null {
  return valueTypeIn(options, 'value_type') ?? valueTypeIn(options, 'valueType');
}

function valueTypeIn(options: OptionReader, name: string): string | null {
  const text = options.string(name);
  if (text === null || VALUE_TYPES.has(text)) return text;
  return options.within(name, () => {
    throw illegalArgument(`Unknown value type [${text}]`);
  });
}

/** Reads the type of an aggregation of numbers, which says nothing new. @throws ShoalError for any other type */
export function checkNumericType(options: OptionReader): void {
  const kind = declaredKind(parseValueType(options));
  if (kind === null || kind === 'long' || kind === 'double') return;
  options.within('value_type', () => {
    const node = options.take('value_type');
    const text = node === null ? kind : readString(node, 'value_type');
    const reason = `Aggregation [${options.type}] was configured with an incompatible value type [${text}].  It can only work on value off type [numeric]`;
    throw parsingException(reason, node?.at ?? options.node.at);
  });
}
