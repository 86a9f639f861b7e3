/**
 * The kinds of write operations as bytes, and what is rare about one as a few bytes more: the words of the packed form.
 */
import { ByteSink, ByteSource, ShoalError } from '@shoal/core';
import type { AssignedTemplates } from '@shoal/schema';
import type { WriteConditions, WriteOperation } from './write-operation.ts';

export const KIND_INDEX = 0;
export const KIND_CREATE = 1;
export const KIND_CREATE_AUTO_ID = 2;
export const KIND_INDEX_AUTO_ID = 3;
export const KIND_DELETE = 4;
export const KIND_UPDATE = 5;

export const NO_CONDITIONS: WriteConditions = {
  ifSeqNo: null,
  ifPrimaryTerm: null,
  version: null,
  versionType: 'internal',
};

/** What most operations have none of. */
export interface OperationExtras {
  readonly routing: string | null;
  readonly conditions: WriteConditions;
  /** Left out where the write names none. */
  readonly templates?: AssignedTemplates;
}

export const NO_EXTRAS: OperationExtras = { routing: null, conditions: NO_CONDITIONS };

const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;
const HAS_ROUTING = 1;
const HAS_SEQ_NO = 2;
const HAS_TERM = 4;
const HAS_VERSION = 8;
const HAS_TEMPLATES = 16;
const MASK_MAX = 31;
/** Fields of one write that are given templates. */
export const ASSIGNED_TEMPLATES_MAX = 10_000;
const NO_BYTES: Uint8Array = new Uint8Array(0);

export function kindOf(operation: WriteOperation): number {
  if (operation.kind === 'delete') return KIND_DELETE;
  if (operation.kind === 'update') return KIND_UPDATE;
  if (operation.opType === 'create') return operation.isAutoId ? KIND_CREATE_AUTO_ID : KIND_CREATE;
  return operation.isAutoId ? KIND_INDEX_AUTO_ID : KIND_INDEX;
}

/** Nothing when there is nothing to say. */
export function writeExtras({ routing, conditions, templates }: OperationExtras): Uint8Array {
  const { ifSeqNo, ifPrimaryTerm, version, versionType } = conditions;
  const type = VERSION_TYPES.indexOf(versionType);
  const mask =
    (routing === null ? 0 : HAS_ROUTING) |
    (ifSeqNo === null ? 0 : HAS_SEQ_NO) |
    (ifPrimaryTerm === null ? 0 : HAS_TERM) |
    (version === null ? 0 : HAS_VERSION) |
    (templates === undefined ? 0 : HAS_TEMPLATES);
  if (mask === 0 && type === 0) return NO_BYTES;
  const sink = new ByteSink();
  sink.u8(mask);
  sink.u8(type);
  for (const number of [ifSeqNo, ifPrimaryTerm, version]) if (number !== null) sink.f64(number);
  if (routing !== null) sink.text(routing);
  if (templates !== undefined) {
    const entries = Object.entries(templates);
    sink.u32(entries.length);
    for (const entry of entries) for (const text of entry) sink.text(text);
  }
  return sink.copy();
}

/** @throws DamagedBytes when they end too early */
export function readExtras(bytes: Uint8Array): OperationExtras {
  if (bytes.length === 0) return NO_EXTRAS;
  const source = new ByteSource(bytes);
  const mask = source.u8();
  const versionType = VERSION_TYPES[source.u8()];
  if (versionType === undefined || mask > MASK_MAX) {
    throw malformedOperations(`has extras of the unknown kind ${mask}`);
  }
  const number = (flag: number): number | null => ((mask & flag) === 0 ? null : wholeNumber(source.f64()));
  const conditions = {
    ifSeqNo: number(HAS_SEQ_NO),
    ifPrimaryTerm: number(HAS_TERM),
    version: number(HAS_VERSION),
    versionType,
  };
  const routing = (mask & HAS_ROUTING) === 0 ? null : source.text();
  const templates = (mask & HAS_TEMPLATES) === 0 ? null : readTemplates(source);
  if (source.at !== bytes.length) throw malformedOperations(`has ${bytes.length - source.at} bytes behind extras`);
  return templates === null ? { routing, conditions } : { routing, conditions, templates };
}

function readTemplates(source: ByteSource): AssignedTemplates {
  const count = source.u32();
  if (count > ASSIGNED_TEMPLATES_MAX) throw malformedOperations(`has templates of ${count} fields`);
  return Object.fromEntries(Array.from({ length: count }, () => [source.text(), source.text()]));
}

function wholeNumber(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw malformedOperations(`has a condition of ${value}`);
}

export function malformedOperations(problem: string): ShoalError {
  return new ShoalError('malformed_message_exception', 400, `section [operations] of a transport message ${problem}`);
}
