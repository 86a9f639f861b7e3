/**
 * Write operations of one shard as columns: kinds and ids in lists, sources in one raw section.
 *
 * Conditions and routings are rare, so they are sparse: an entry names the operation it belongs to.
 */
import type { WriteConditions, WriteOperation } from '@shoal/query';
import { type ItemReader, ValueReader } from '@shoal/transport';
import { malformedSection, type SectionReader } from '../sections/section-reader.ts';
import type { SectionWriter } from '../sections/section-writer.ts';

/** Operations in one shard request; their bytes are bounded by the frame. */
export const OPERATIONS_MAX = 1_000_000;

const KIND_INDEX = 0;
const KIND_CREATE = 1;
const KIND_CREATE_AUTO_ID = 2;
const KIND_INDEX_AUTO_ID = 3;
const KIND_DELETE = 4;
const KIND_UPDATE = 5;
const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;

const NO_CONDITIONS: WriteConditions = {
  ifSeqNo: null,
  ifPrimaryTerm: null,
  version: null,
  versionType: 'internal',
};

export function writeOperations(
  operations: readonly WriteOperation[],
  sections: SectionWriter,
): Readonly<Record<string, unknown>> {
  const routings: unknown[] = [];
  const conditions: unknown[] = [];
  for (const [at, operation] of operations.entries()) {
    if (operation.routing !== null) routings.push({ at, routing: operation.routing });
    if (hasConditions(operation.conditions)) conditions.push({ at, ...operation.conditions });
  }
  sections.add(Uint8Array.from(operations, kindOf));
  sections.addByteStrings(operations.map(bodyOf));
  return { ids: operations.map((operation) => operation.id), routings, conditions };
}

export function readOperations(r: ValueReader, sections: SectionReader): readonly WriteOperation[] {
  const ids = r.list('ids', ValueReader.asString, OPERATIONS_MAX);
  const kinds = sections.flags('kinds', ids.length);
  const bodies = sections.byteStrings('sources', ids.length);
  const routings = readSparse(r, 'routings', ids.length, (item) => item.string('routing'));
  const conditions = readSparse(r, 'conditions', ids.length, readConditions);
  return ids.map((id, at) =>
    operationOf({
      kind: kinds[at] ?? -1,
      id,
      body: bodies[at] ?? null,
      routing: routings.get(at) ?? null,
      conditions: conditions.get(at) ?? NO_CONDITIONS,
    }),
  );
}

function hasConditions(conditions: WriteConditions): boolean {
  return (
    conditions.ifSeqNo !== null ||
    conditions.ifPrimaryTerm !== null ||
    conditions.version !== null ||
    conditions.versionType !== 'internal'
  );
}

function kindOf(operation: WriteOperation): number {
  if (operation.kind === 'delete') return KIND_DELETE;
  if (operation.kind === 'update') return KIND_UPDATE;
  if (operation.opType === 'create') return operation.isAutoId ? KIND_CREATE_AUTO_ID : KIND_CREATE;
  return operation.isAutoId ? KIND_INDEX_AUTO_ID : KIND_INDEX;
}

function bodyOf(operation: WriteOperation): Uint8Array | null {
  if (operation.kind === 'delete') return null;
  return operation.kind === 'update' ? operation.body : operation.source;
}

interface Parts {
  readonly kind: number;
  readonly id: string;
  readonly body: Uint8Array | null;
  readonly routing: string | null;
  readonly conditions: WriteConditions;
}

function operationOf({ kind, id, body, routing, conditions }: Parts): WriteOperation {
  const common = { id, routing, conditions };
  if (kind === KIND_DELETE) return { kind: 'delete', ...common };
  if (body === null) throw malformedSection('sources', `has none for [${id}]`);
  if (kind === KIND_UPDATE) return { kind: 'update', body, ...common };
  if (kind < KIND_INDEX || kind > KIND_INDEX_AUTO_ID) throw malformedSection('kinds', `holds the unknown kind ${kind}`);
  return {
    kind: 'index',
    opType: kind === KIND_CREATE || kind === KIND_CREATE_AUTO_ID ? 'create' : 'index',
    isAutoId: kind === KIND_CREATE_AUTO_ID || kind === KIND_INDEX_AUTO_ID,
    source: body,
    ...common,
  };
}

function readConditions(r: ValueReader): WriteConditions {
  const wholeNumber = (field: string) => r.optionalInteger(field, 0, Number.MAX_SAFE_INTEGER);
  return {
    ifSeqNo: wholeNumber('ifSeqNo'),
    ifPrimaryTerm: wholeNumber('ifPrimaryTerm'),
    version: wholeNumber('version'),
    versionType: r.oneOf('versionType', VERSION_TYPES),
  };
}

/** Entries `{at, …}` of a sparse column of `count` rows. */
export function readSparse<T>(
  r: ValueReader,
  field: string,
  count: number,
  read: (item: ValueReader) => T,
): ReadonlyMap<number, T> {
  const readEntry: ItemReader<readonly [number, T]> = (value, path) => {
    const item = ValueReader.of(value, path);
    return [item.integer('at', 0, Math.max(count - 1, 0)), read(item)];
  };
  return new Map(r.list(field, readEntry, count));
}
