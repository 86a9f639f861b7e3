/**
 * Contexts of the inputs of a document that other fields of it give, when all of it was seen.
 */
import { illegalArgument } from '@shoal/core';
import { unpackPoint } from '@shoal/geo';
import type { ContextMapping, FieldMapping } from '@shoal/schema';
import { type CompletionInput, CompletionValue, geoContext } from '../field-types/completion/completion-value.ts';
import { ComposedValue, type IndexedValue, TextSpan } from '../field-types/contract/indexed-value.ts';

interface FieldValues {
  readonly fields: readonly FieldMapping[];
  readonly values: readonly IndexedValue[];
}

/**
 * Adds the contexts to the inputs.
 *
 * @param leavesOut inputs without any context are left out, as those of a document that was accepted before
 * @throws ShoalError for such inputs of other documents
 */
export function addContexts({ fields, values }: FieldValues, leavesOut: boolean): void {
  for (const [i, field] of fields.entries()) {
    const value = values[i];
    const contexts = field.completion?.contexts ?? [];
    if (contexts.length === 0 || !(value instanceof CompletionValue)) continue;
    const ofDocument = contexts.map((mapping) => valuesAt({ fields, values }, mapping));
    value.inputs = value.inputs.flatMap((input) => withContexts(field, input, ofDocument, leavesOut));
  }
}

function withContexts(
  field: FieldMapping,
  input: CompletionInput,
  more: readonly ReadonlySet<string>[],
  leavesOut: boolean,
): readonly CompletionInput[] {
  const contexts = input.contexts.map((own, i) => new Set([...own, ...(more[i] ?? [])]));
  if (contexts.some(({ size }) => size > 0)) return [{ ...input, contexts }];
  if (leavesOut) return [];
  throw illegalArgument(`Contexts are mandatory in context enabled completion field [${field.path}]`);
}

function valuesAt({ fields, values }: FieldValues, mapping: ContextMapping): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [i, { path }] of fields.entries()) {
    const value = values[i];
    if (mapping.path !== null && path === mapping.path && value !== undefined) found.add(contextOf(mapping, value));
  }
  return found;
}

function contextOf(mapping: ContextMapping, value: IndexedValue): string {
  if (mapping.type === 'geo') {
    if (value instanceof ComposedValue && typeof value.indexed === 'bigint') {
      return geoContext(mapping, unpackPoint(value.indexed));
    }
  } else if (typeof value === 'string' || value instanceof TextSpan) return String(value);
  const kinds = mapping.type === 'geo' ? 'geo_point' : 'keyword and text';
  throw illegalArgument(`Failed to parse context field [${mapping.path ?? ''}], only ${kinds} fields are accepted`);
}
