/**
 * Values of runtime fields: what a script makes of a document, or what the document has under the name of the field.
 *
 * A document is looked at only when somebody asks for its values. A script may read other runtime fields; one that comes back
 * to itself is refused.
 */
import { ANY_TOKENS, asInteger, assert, illegalArgument, isShoalError, parseJson, ShoalError } from '@shoal/core';
import { unpackPoint } from '@shoal/geo';
import { type DateFormatter, dateFormatter, type FieldMapping, isWholeValue } from '@shoal/schema';
import {
  FieldDateTime,
  JavaMap,
  paramsOf,
  programOf,
  RUNTIME_FIELD_CONTEXTS,
  resultValues,
  ScriptPoint,
  type ScriptProgram,
  type ScriptRequest,
  textOf,
  toPlain,
} from '@shoal/script';
import { valuesAtPath } from '@shoal/shard-api';
import { isImmense } from '../../field-types/contract/immense-term.ts';
import { ComposedValue, type IndexedValue } from '../../field-types/contract/indexed-value.ts';
import { fieldType } from '../../field-types/field-types.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { type MadeValues, ScriptDocument } from './script-document.ts';
import { scriptSource } from './script-source.ts';

/** Values that a field may have in one document. */
const VALUES_MAX = 100;
/** Characters of the values that a keyword field may have in one document. */
const CHARACTERS_MAX = 1024 * 1024;
/** Fields that are made of one another, at most so many in a row. */
const CHAIN_MAX = 5;

/** Values of a document in the form that the field's type indexes, in ascending order. */
export type RuntimeReader = (doc: number) => readonly IndexedValue[];

/** @throws ShoalError `script_exception` where the script of the field does not compile */
export function checkRuntimeScript(field: FieldMapping): void {
  programFor(field);
}

/** The present document of a segment, with runtime fields among its fields. */
export function scriptDocument(ctx: CompileContext, view: SegmentView): ScriptDocument {
  return new ScriptDocument(ctx, view, shownValues(ctx, view, []));
}

/** Reader of a runtime field in a segment. @throws ShoalError where the script does not compile */
export function runtimeReader(ctx: CompileContext, view: SegmentView, field: FieldMapping): RuntimeReader {
  return readerOf(ctx, view, field, []);
}

/** @param chain fields that wait for the values of this one */
function readerOf(
  ctx: CompileContext,
  view: SegmentView,
  field: FieldMapping,
  chain: readonly string[],
): RuntimeReader {
  const names = [...chain, field.path];
  if (chain.includes(field.path)) {
    throw illegalArgument(`Cyclic dependency detected while resolving runtime fields: ${names.join(' -> ')}`);
  }
  if (names.length > CHAIN_MAX) {
    throw illegalArgument(`Field requires resolving too many dependent fields: ${names.join(' -> ')}`);
  }
  const found = programFor(field);
  const read = found === null ? sourceReader(view, field) : scriptReader(ctx, view, field, found, names);
  return (doc) => {
    const values = read(doc);
    return values.length > 1 ? [...values].sort(byValue) : values;
  };
}

interface FieldProgram {
  readonly script: ScriptRequest;
  readonly program: ScriptProgram;
}

/** null: the field has no script. */
function programFor({ runtime, kind, path }: FieldMapping): FieldProgram | null {
  assert(runtime !== null, `field [${path}] is no runtime field`);
  if (runtime.script === null) return null;
  const { source, lang, params } = runtime.script;
  const context = RUNTIME_FIELD_CONTEXTS[runtime.part === null ? kind : 'composite'];
  assert(context !== undefined, `no scripts make fields of type [${kind}]`);
  const text = JSON.stringify(params ?? {});
  const script = { lang: String(lang), source: String(source), id: null, params: text };
  return { script, program: programOf(script, context) };
}

function scriptReader(
  ctx: CompileContext,
  view: SegmentView,
  field: FieldMapping,
  { script, program }: FieldProgram,
  names: readonly string[],
): RuntimeReader {
  const document = new ScriptDocument(ctx, view, shownValues(ctx, view, names));
  const params = paramsOf(script);
  // Reading the source costs more than most scripts do.
  const readsSource = script.source?.includes('_source') === true;
  const { segment } = view;
  const bound = program.bind([params, document.fields]);
  const part = field.runtime?.part ?? null;
  const valuesOf = part === null ? ownValues(field) : partValues(field, part);
  return (doc) => {
    document.doc = doc;
    if (readsSource) params.set('_source', scriptSource(segment.source(doc).slice()));
    const emitted = bound.run();
    assert(Array.isArray(emitted), `the script of [${field.path}] has no results`);
    const values = valuesOf(emitted);
    checkCount(field, values.length);
    return field.kind === 'keyword' ? checkedTexts(field, values) : values;
  };
}

type EmittedValues = (emitted: readonly (readonly unknown[])[]) => readonly IndexedValue[];

function ownValues(field: FieldMapping): EmittedValues {
  return (emitted) => emitted.map((args) => emittedValue(field, args));
}

/** Values that were emitted under a name, alone or in a map; those that are none of the field's type are left out. */
function partValues(field: FieldMapping, part: string): EmittedValues {
  const read = lenientReader(field);
  return (emitted) =>
    emitted.flatMap(([first, second]) => {
      const given = first instanceof JavaMap ? first.get(part) : first === part ? second : null;
      return resultValues(given).flatMap((value) => {
        const found = value === null ? null : read(field.kind === 'keyword' ? textOf(value) : toPlain(value));
        return found ?? [];
      });
    });
}

/** Reads a value as a document would have it; null for one that is none of the field's type. */
function lenientReader(field: FieldMapping): (value: unknown) => IndexedValue | null {
  const type = fieldType(field.kind);
  const formatter: DateFormatter = dateFormatter(field.format === '' ? 'epoch_millis' : field.format);
  return (value) => {
    try {
      const indexed = type.read(field, value, () => formatter);
      return typeof indexed === 'string' && isImmense(indexed) ? null : indexed;
    } catch (error) {
      if (isShoalError(error)) return null;
      throw error;
    }
  };
}

function checkCount({ path, kind }: FieldMapping, count: number): void {
  if (count <= VALUES_MAX || kind === 'boolean') return;
  throw scriptFailure(
    `Runtime field [${path}] is emitting [${count}] values while the maximum number of values allowed is [${VALUES_MAX}]`,
  );
}

function checkedTexts({ path }: FieldMapping, values: readonly IndexedValue[]): readonly IndexedValue[] {
  const length = values.reduce<number>((sum, value) => sum + String(value).length, 0);
  if (length > CHARACTERS_MAX) {
    throw scriptFailure(
      `Runtime field [${path}] is emitting [${length}] characters while the maximum number of values allowed is [${CHARACTERS_MAX}]`,
    );
  }
  return values.filter((value) => !isImmense(String(value)));
}

function scriptFailure(reason: string): ShoalError {
  return new ShoalError('script_exception', 400, 'runtime error', { causedBy: illegalArgument(reason) });
}

function emittedValue(field: FieldMapping, args: readonly unknown[]): IndexedValue {
  const [first, second] = args;
  const { kind } = field;
  if (first === null || first === undefined) throw scriptFailure(`Runtime field [${field.path}] emits [null]`);
  if (kind === 'geo_point') return readEmitted(field, { lat: Number(first), lon: Number(second) });
  if (kind === 'ip') return readEmitted(field, String(first));
  if (kind === 'keyword') return String(first);
  if (kind === 'double') return Number(first);
  if (kind === 'boolean') return first === true;
  const whole = BigInt(first as bigint | number);
  return asInteger(whole);
}

function readEmitted(field: FieldMapping, value: unknown): IndexedValue {
  try {
    const found = fieldType(field.kind).read(field, value, dateFormatter);
    assert(found !== null, `[${field.path}] takes no value of its script`);
    return found;
  } catch (error) {
    throw isShoalError(error) ? scriptFailure(error.reason ?? '') : error;
  }
}

/** Values of the document at the name of the field; those that are none of its type are left out. */
function sourceReader({ segment }: SegmentView, field: FieldMapping): RuntimeReader {
  const read = lenientReader(field);
  const isWhole = (value: object): boolean => isWholeValue(field.kind, value);
  return (doc) => {
    const source = segment.source(doc).slice();
    if (source.length === 0) return [];
    const values: IndexedValue[] = [];
    for (const value of valuesAtPath(parseJson(source, ANY_TOKENS), field.path, isWhole)) {
      if (value === null || (typeof value === 'object' && !isWhole(value))) continue;
      const indexed = read(value);
      if (indexed !== null) values.push(indexed);
    }
    return values;
  };
}

/** Readers of runtime fields as scripts see their values. */
function shownValues(ctx: CompileContext, view: SegmentView, chain: readonly string[]): MadeValues {
  return (field) => {
    const valuesOf = readerOf(ctx, view, field, chain);
    const show = shownTo(field);
    return (doc) => valuesOf(doc).map(show);
  };
}

function byValue(a: IndexedValue, b: IndexedValue): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** From the indexed form to the one of scripts. */
function shownTo(field: FieldMapping): (value: IndexedValue) => unknown {
  switch (field.kind) {
    case 'long':
      return (value) => BigInt(value as number | bigint);
    case 'date':
      return (value) => new FieldDateTime(Number(value));
    case 'geo_point':
      return (value) => {
        assert(value instanceof ComposedValue && typeof value.indexed !== 'string', `[${field.path}] is no point`);
        const { lat, lon } = unpackPoint(value.indexed);
        return new ScriptPoint(lat, lon);
      };
    case 'ip':
      return fieldType('ip').printer(field, null, dateFormatter);
    default:
      return (value) => value;
  }
}
