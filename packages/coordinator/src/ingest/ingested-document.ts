/**
 * A document of a write on its way into a pipeline and out of it: JSON and metadata become one document, and what the processors
 * made of it becomes a write again.
 */
import { jsonText, parseEventJson } from '@shoal/agent-event';
import { illegalArgument, parseJson } from '@shoal/core';
import { type DocumentMap, type DocumentValue, IngestDocument, METADATA_FIELDS } from '@shoal/ingest';
import type { WriteConditions } from '@shoal/shard-api';

export interface IngestedWrite {
  readonly index: string;
  /** null: one is made. */
  readonly id: string | null;
  readonly routing: string | null;
  readonly conditions: WriteConditions;
}

const VERSION_TYPES: readonly WriteConditions['versionType'][] = ['internal', 'external', 'external_gte'];
/** A write that asks for no version has this one. */
const ANY_VERSION = -3;

/** @throws json_parse_exception and mapper_parsing_exception (400) for what is no JSON object */
export function sourceFields(source: Uint8Array): DocumentMap {
  // Says what is wrong and where, and refuses names that stand twice.
  parseJson(source);
  const fields = parseEventJson(source);
  if (fields instanceof Map) return fields;
  throw illegalArgument('a document that goes through a pipeline must be a JSON object');
}

/** @param fields belong to the document from now on */
export function ingestDocumentOf(fields: DocumentMap, write: IngestedWrite, nowMs: number): IngestDocument {
  const { version, versionType, ifSeqNo, ifPrimaryTerm } = write.conditions;
  const metadata: readonly (readonly [string, DocumentValue])[] = [
    ['_index', write.index],
    ['_id', write.id],
    ['_version', version ?? ANY_VERSION],
    ['_version_type', versionType],
    ...optional('_routing', write.routing),
    ...optional('_if_seq_no', ifSeqNo),
    ...optional('_if_primary_term', ifPrimaryTerm),
  ];
  for (const [name, value] of metadata) fields.set(name, value);
  return new IngestDocument(fields, new Map([['timestamp', new Date(nowMs).toISOString()]]));
}

/** @throws illegal_argument_exception for metadata that is of another type */
export function writeOf({ fields }: IngestDocument): IngestedWrite {
  const version = integerIn(fields, '_version');
  const versionType = textIn(fields, '_version_type') ?? 'internal';
  const type = VERSION_TYPES.find((known) => known === versionType);
  if (type === undefined) throw illegalArgument(`No version type match [${versionType}]`);
  const index = textIn(fields, '_index');
  if (index === null || index === '') throw illegalArgument('a pipeline left a document without an index');
  const isVersioned = version !== null && version !== ANY_VERSION;
  if (isVersioned && type === 'internal') {
    throw illegalArgument(
      'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead',
    );
  }
  return {
    index,
    id: textIn(fields, '_id'),
    routing: textIn(fields, '_routing'),
    conditions: {
      version: isVersioned ? version : null,
      versionType: type,
      ifSeqNo: integerIn(fields, '_if_seq_no'),
      ifPrimaryTerm: integerIn(fields, '_if_primary_term'),
    },
  };
}

/** What is left of a document when its metadata is taken out, as JSON. */
export function sourceOf(document: IngestDocument): Uint8Array {
  return Buffer.from(jsonText(fieldsOf(document)), 'utf8');
}

/** Fields of a document, without its metadata. */
export function fieldsOf({ fields }: IngestDocument): DocumentMap {
  const source = new Map(fields);
  for (const name of METADATA_FIELDS) source.delete(name);
  return source;
}

function optional(name: string, value: DocumentValue): readonly (readonly [string, DocumentValue])[] {
  return value === null ? [] : [[name, value]];
}

function textIn(fields: DocumentMap, name: string): string | null {
  const value = fields.get(name) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw illegalArgument(`metadata field [${name}] must be a string`);
}

function integerIn(fields: DocumentMap, name: string): number | null {
  const value = fields.get(name) ?? null;
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw illegalArgument(`metadata field [${name}] must be a whole number`);
}
