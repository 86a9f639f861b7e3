/**
 * `reroute`: sends the document to another index or data stream, whose pipelines come next; what is left of these does not see it.
 *
 * Without a `destination` the name of its data stream is read as TYPE-DATASET-NAMESPACE, of which dataset and namespace are replaced.
 */
import { illegalArgument, isShoalError } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';

type Part = 'dataset' | 'namespace';
/** A part of the name for a document; null: the document has none. */
type PartSource = (document: IngestDocument) => string | null;

/** Characters of a dataset or namespace. */
const PART_LENGTH_MAX = 100;
const REPLACEMENT = '_';
/** What must not be in a part: a dash ends a dataset, but not the namespace, which is the rest of the name. */
const FORBIDDEN: Readonly<Record<Part, RegExp>> = {
  dataset: /[\\/*?"<>| ,#:-]/g,
  namespace: /[\\/*?"<>| ,#:]/g,
};
const EVENT_DATASET = parseFieldPath('event.dataset');
const STREAM_TYPE = parseFieldPath('data_stream.type');
const STREAM_FIELD: Readonly<Record<Part, ReturnType<typeof parseFieldPath>>> = {
  dataset: parseFieldPath('data_stream.dataset'),
  namespace: parseFieldPath('data_stream.namespace'),
};

export const rerouteProcessor: ProcessorType = {
  type: 'reroute',
  create(config) {
    const datasets = partSources(config, 'dataset');
    const namespaces = partSources(config, 'namespace');
    const destination = config.optionalText('destination');
    if (destination === null) return simple((document) => rerouteStream(document, datasets, namespaces));
    if (datasets.length + namespaces.length > 0) {
      throw config.error('destination', 'can only be set if dataset and namespace are not set');
    }
    return simple((document) => document.reroute(destination));
  },
};

function rerouteStream(
  document: IngestDocument,
  datasets: readonly PartSource[],
  namespaces: readonly PartSource[],
): void {
  const known = streamName(document);
  const dataset = firstOf(document, datasets, 'dataset') ?? known.dataset;
  const namespace = firstOf(document, namespaces, 'namespace') ?? known.namespace;
  document.reroute(`${known.type}-${dataset}-${namespace}`);
  document.set(STREAM_TYPE, known.type);
  document.set(STREAM_FIELD.dataset, dataset);
  document.set(STREAM_FIELD.namespace, namespace);
  if (document.has(EVENT_DATASET)) document.set(EVENT_DATASET, dataset);
}

/** @throws illegal_argument_exception for a name without three parts */
function streamName(document: IngestDocument): Readonly<Record<Part | 'type', string>> {
  const name = String(document.fields.get('_index') ?? '');
  const [type, dataset, ...rest] = name.split('-');
  if (type === undefined || dataset === undefined || rest.length === 0) {
    throw illegalArgument(
      `invalid data stream name: [${name}]; must follow naming scheme <type>-<dataset>-<namespace>`,
    );
  }
  return { type, dataset, namespace: rest.join('-') };
}

/** Without sources it is the field of the document that has the name of the part. */
function firstOf(document: IngestDocument, sources: readonly PartSource[], part: Part): string | null {
  for (const source of sources.length > 0 ? sources : [fieldSource(STREAM_FIELD[part], part)]) {
    const value = source(document);
    if (value !== null) return value;
  }
  return null;
}

function partSources(config: ProcessorConfig, part: Part): readonly PartSource[] {
  const error = (value: string, what: string): Error => config.error(part, `'${value}' ${what}`);
  return config.textOrTexts(part).map((value) => {
    if (!value.includes('{{') && !value.includes('}}')) {
      if (allowed(value, part) !== value) throw error(value, 'contains disallowed characters');
      return () => value;
    }
    const reference = /^\{\{\{(.*)\}\}\}$/s.exec(value) ?? /^\{\{(.*)\}\}$/s.exec(value);
    if (reference === null) throw error(value, 'is not a valid field reference');
    return fieldSource(parseFieldPath((reference[1] ?? '').trim()), part);
  });
}

function fieldSource(path: ReturnType<typeof parseFieldPath>, part: Part): PartSource {
  return (document) => {
    try {
      const value = document.find(path);
      return typeof value === 'string' ? allowed(value, part) : null;
    } catch (error) {
      // A path that leads through no object has no value, as one that leads nowhere.
      if (isShoalError(error)) return null;
      throw error;
    }
  };
}

function allowed(value: string, part: Part): string {
  return value.toLowerCase().slice(0, PART_LENGTH_MAX).replace(FORBIDDEN[part], REPLACEMENT);
}
