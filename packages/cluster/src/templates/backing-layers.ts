/**
 * What every backing index of a data stream has besides its template: it is hidden, and its documents have one timestamp.
 */

import type { IndexTemplate, Templates } from '@shoal/cluster-state';
import { illegalArgument, type ShoalError } from '@shoal/core';
import { overlayMapping, TIMESTAMP_FIELD, TIMESTAMP_RULE } from '@shoal/schema';
import { layersOfIndexTemplate, type TemplateLayers } from './template-layers.ts';

type Json = Readonly<Record<string, unknown>>;

const BASE_MAPPING = {
  [TIMESTAMP_RULE]: { enabled: true },
  properties: { [TIMESTAMP_FIELD]: { type: 'date' } },
};
const TIMESTAMP_TYPES: readonly string[] = ['date', 'date_nanos'];

export function layersOfBackingIndex(templates: Templates, template: IndexTemplate): TemplateLayers {
  const layers = layersOfIndexTemplate(templates, template);
  return {
    ...layers,
    settings: { ...layers.settings, 'index.hidden': 'true' },
    mappings: overlayMapping(BASE_MAPPING, layers.mappings),
  };
}

/** @throws illegal_argument_exception when documents of the mapping could not be found by their time */
export function checkTimestampField(mapping: Json): void {
  const properties = asObject(mapping.properties);
  const field = asObject(properties[TIMESTAMP_FIELD]);
  const fault = (why: string): ShoalError => illegalArgument(`data stream timestamp field [${TIMESTAMP_FIELD}] ${why}`);
  const type = String(field.type ?? 'object');
  if (!TIMESTAMP_TYPES.includes(type)) {
    throw fault(`is of type [${type}], but [${TIMESTAMP_TYPES.join(',')}] is expected`);
  }
  if (field.doc_values === false) throw fault("doesn't have doc values");
  if (field.index === false) throw fault('is not indexed');
  if (field.null_value !== undefined) throw fault('has disallowed [null_value] attribute specified');
  if (field.ignore_malformed === true) throw fault('has disallowed [ignore_malformed] attribute specified');
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
