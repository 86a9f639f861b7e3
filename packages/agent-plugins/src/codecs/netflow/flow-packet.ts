/**
 * The outer form of flow packets: headers, sets, templates, and records cut out by a template. Every length is checked before
 * anything is read by it. Pure.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';
import { fieldValue } from './field-values.ts';
import { type TemplateField, VARIABLE } from './template-store.ts';

/** Fields of one template: no exporter has so many. */
const FIELDS_MAX = 1_024;
const SET_HEADER_BYTES = 4;
/** Sets with smaller numbers hold templates. */
export const DATA_SETS_FROM = 256;
/** Number of the set in IPFIX that holds templates, and of the "template" in it that takes all of them back. */
export const IPFIX_TEMPLATES = 2;
/** The same of templates of options. */
export const IPFIX_OPTIONS = 3;

export interface FlowSet {
  readonly id: number;
  readonly body: Buffer;
}

/** A field as a template names it. Enterprise 0 is IANA's registry. */
export interface FieldSpecifier {
  readonly id: number;
  readonly enterprise: number;
  readonly length: number;
}

export interface TemplateRecord {
  readonly id: number;
  /** What the options of an options template are about. */
  readonly scopes: readonly FieldSpecifier[];
  readonly fields: readonly FieldSpecifier[];
}

/** Sets one behind the other. A length of zero is padding to the end. @throws ShoalError where one does not fit */
export function flowSets(bytes: Buffer): FlowSet[] {
  const sets: FlowSet[] = [];
  for (let at = 0; at + SET_HEADER_BYTES <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 2);
    if (length === 0) break;
    if (length < SET_HEADER_BYTES || at + length > bytes.length) throw broken(`a set of ${length} bytes does not fit`);
    sets.push({ id: bytes.readUInt16BE(at), body: bytes.subarray(at + SET_HEADER_BYTES, at + length) });
    at += length;
  }
  return sets;
}

/** Templates of NetFlow 9; `isOptions` when their fields begin with scopes. */
export function netflowTemplates(body: Buffer, isOptions: boolean): TemplateRecord[] {
  const templates: TemplateRecord[] = [];
  const headBytes = isOptions ? 6 : 4;
  for (let at = 0; at + headBytes <= body.length; ) {
    const id = body.readUInt16BE(at);
    if (id < DATA_SETS_FROM) break;
    const first = body.readUInt16BE(at + 2);
    const scopeCount = isOptions ? Math.floor(first / 4) : 0;
    const fieldCount = isOptions ? Math.floor(body.readUInt16BE(at + 4) / 4) : first;
    at += headBytes;
    const count = scopeCount + fieldCount;
    if (count > FIELDS_MAX || at + count * 4 > body.length) throw broken(`template ${id} has ${count} fields`);
    const specifiers = Array.from({ length: count }, (_, i) => ({
      id: body.readUInt16BE(at + i * 4),
      enterprise: 0,
      length: body.readUInt16BE(at + i * 4 + 2),
    }));
    at += count * 4;
    templates.push({ id, scopes: specifiers.slice(0, scopeCount), fields: specifiers.slice(scopeCount) });
    // Behind an options template only padding follows.
    if (isOptions && body.length - at < headBytes + 4) break;
  }
  return templates;
}

/**
 * Templates of IPFIX. One without fields takes its number back, or every template of its kind where it has the number of their set
 * (RFC 7011, section 8.1).
 */
export function ipfixTemplates(body: Buffer, setId: number): TemplateRecord[] {
  const isOptions = setId === IPFIX_OPTIONS;
  const templates: TemplateRecord[] = [];
  for (let at = 0; at + 4 <= body.length; ) {
    const id = body.readUInt16BE(at);
    const count = body.readUInt16BE(at + 2);
    // Behind the last template only padding follows.
    if (id < DATA_SETS_FROM && !(id === setId && count === 0)) break;
    at += 4;
    if (count > FIELDS_MAX) throw broken(`template ${id} has ${count} fields`);
    let scopeCount = 0;
    if (isOptions && count > 0) {
      if (at + 2 > body.length) throw broken(`template ${id} is cut off`);
      scopeCount = body.readUInt16BE(at);
      at += 2;
    }
    const specifiers: FieldSpecifier[] = [];
    while (specifiers.length < count) {
      if (at + 4 > body.length) throw broken(`template ${id} is cut off`);
      const number = body.readUInt16BE(at);
      const hasEnterprise = number >= 0x8000;
      if (hasEnterprise && at + 8 > body.length) throw broken(`template ${id} is cut off`);
      specifiers.push({
        id: number & 0x7fff,
        enterprise: hasEnterprise ? body.readUInt32BE(at + 4) : 0,
        length: body.readUInt16BE(at + 2),
      });
      at += hasEnterprise ? 8 : 4;
    }
    templates.push({ id, scopes: specifiers.slice(0, scopeCount), fields: specifiers.slice(scopeCount) });
  }
  return templates;
}

/** Records of a set, as maps of field names; what is left behind the last is padding. */
export function flowRecords(body: Buffer, template: readonly TemplateField[]): EventMap[] {
  const bytesMin = template.reduce((sum, { length }) => sum + (length === VARIABLE ? 1 : length), 0);
  const records: EventMap[] = [];
  // Records of no bytes would have no end.
  if (bytesMin === 0) return records;
  for (let at = 0; at + bytesMin <= body.length; ) {
    const record: Map<string, EventValue> = new Map();
    for (const { name, kind, length } of template) {
      const field = length === VARIABLE ? variable(body, at) : { from: at, to: at + length };
      if (field === null || field.to > body.length) return records;
      at = field.to;
      const value = name === '' ? undefined : fieldValue(body.subarray(field.from, field.to), kind);
      if (value !== undefined) record.set(name, value);
    }
    records.push(record);
  }
  return records;
}

/** One byte of length, or three when the first is 255. */
function variable(body: Buffer, at: number): { readonly from: number; readonly to: number } | null {
  if (at >= body.length) return null;
  const short = body.readUInt8(at);
  if (short < 0xff) return { from: at + 1, to: at + 1 + short };
  if (at + 3 > body.length) return null;
  return { from: at + 3, to: at + 3 + body.readUInt16BE(at + 1) };
}

export function broken(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no flow packet: ${why}`);
}
