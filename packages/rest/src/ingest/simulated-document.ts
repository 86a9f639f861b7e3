/** Documents of `_simulate`: as they are sent, and as they are shown. */
import { illegalArgument } from '@shoal/core';
import { type DocumentValue, IngestDocument, METADATA_FIELDS, NO_PLACE, ProcessorConfig } from '@shoal/ingest';
import { javaText } from '@shoal/script';
import { SINGLE_TYPE } from '../request/single-type.ts';

type Json = Readonly<Record<string, unknown>>;

/** Metadata that is not sent has these. */
const INDEX_DEFAULT = '_index';
const ID_DEFAULT = '_id';

/** @throws parse_exception that names the property */
export function simulatedDocument(value: DocumentValue, nowMs: number): IngestDocument {
  if (!(value instanceof Map)) throw illegalArgument('malformed [docs] section, should include an inner object');
  const config = new ProcessorConfig(NO_PLACE, value);
  const fields = new Map(config.map('_source'));
  const metadata: readonly (readonly [string, DocumentValue])[] = [
    ['_index', config.optionalTextOrInteger('_index') ?? INDEX_DEFAULT],
    ['_id', config.optionalTextOrInteger('_id') ?? ID_DEFAULT],
    ['_routing', config.optionalTextOrInteger('_routing')],
    ['_version', config.optionalValue('_version')],
    ['_version_type', config.optionalText('_version_type')],
    ['_if_seq_no', config.optionalValue('_if_seq_no')],
    ['_if_primary_term', config.optionalValue('_if_primary_term')],
  ];
  for (const [name, item] of metadata) if (item !== null) fields.set(name, item);
  return new IngestDocument(fields, new Map([['timestamp', new Date(nowMs).toISOString()]]));
}

/** The document as it is now; later changes do not show. */
export function simulatedDocumentBody(document: IngestDocument, withType: boolean): Json {
  const { fields: source, ingest } = document.copy();
  const metadata: Record<string, unknown> = {};
  for (const name of METADATA_FIELDS) {
    const value = source.get(name) ?? null;
    source.delete(name);
    if (value !== null) metadata[name] = javaText(value);
  }
  return { ...metadata, ...(withType && { _type: SINGLE_TYPE }), _source: source, _ingest: ingest };
}
