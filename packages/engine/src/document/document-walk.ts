/**
 * Walk over the values of one document: each is converted by the field it belongs to, and fields that the mapping lacks are
 * collected.
 */

import { assert, illegalArgument, isShoalError, type ShoalError } from '@shoal/core';
import {
  type DateFormatter,
  DOC_COUNT_FIELD,
  type DynamicMode,
  declarationAt,
  type FieldMapping,
  IGNORED_FIELD,
  isObjectType,
  isWholeValue,
  type Mapping,
  type MappingJson,
  matchDynamicTemplate,
  type NestedOptions,
  type ObjectMapping,
  typeOfField,
} from '@shoal/schema';
import type { FieldValue } from '../field-types/contract/field-type.ts';
import { type IndexedValue, TextSpan } from '../field-types/contract/indexed-value.ts';
import { fieldType } from '../field-types/field-types.ts';
import { readDocCount, secondDocCount } from './doc-count.ts';
import { addValues, type Frame, isBelow } from './document-frame.ts';
import { dynamicDeclaration, type NewFields } from './dynamic-mapping.ts';
import { fractionPaths } from './exact-fractions.ts';
import type { FieldBudget } from './field-budget.ts';
import { checkName, mapperParsing, noObject, notScalar, notWritable, preview, strictMapping } from './mapper-errors.ts';
import { METADATA_NAMES } from './metadata-names.ts';
import type { NestedDocument } from './parsed-document.ts';
import type { PlainDocument } from './plain-document.ts';

interface WalkOptions {
  readonly mapping: Mapping;
  readonly dates: (format: string) => DateFormatter;
  readonly id: string;
  readonly source: Uint8Array;
  readonly leavesOutMisfits: boolean;
  readonly nestedMax: number;
  readonly budget: FieldBudget;
  /** Routing of the write; null without one. */
  readonly routing: string | null;
}

export class DocumentWalk {
  readonly fields: FieldMapping[] = [];
  readonly values: IndexedValue[] = [];
  /** Nested documents, each behind those inside it. */
  readonly nested: NestedDocument[] = [];
  readonly newFields: NewFields = new Map();
  readonly newRuntime: NewFields = new Map();
  /** The document that is read. */
  private frame: Frame = { path: '', fields: this.fields, values: this.values };
  /** It, and those around it from the root on. */
  private readonly frames: Frame[] = [this.frame];
  /** Fields of which a value was left out: malformed, or too long. */
  private readonly ignored = new Set<string>();
  private readonly mapping: Mapping;
  private readonly dates: (format: string) => DateFormatter;
  private readonly id: string;
  private readonly document: { readonly id: string; readonly routing: string | null };
  private readonly source: Uint8Array;
  private readonly leavesOutMisfits: boolean;
  private readonly nestedMax: number;
  private readonly budget: FieldBudget;
  /** Paths of numbers written with a point or exponent; found only when a new number comes. */
  private fractions: ReadonlySet<string> | null = null;

  constructor(options: WalkOptions) {
    this.mapping = options.mapping;
    this.dates = options.dates;
    this.id = options.id;
    this.document = { id: options.id, routing: options.routing };
    this.source = options.source;
    this.leavesOutMisfits = options.leavesOutMisfits;
    this.nestedMax = options.nestedMax;
    this.budget = options.budget;
  }

  object(prefix: string, members: readonly (readonly [string, unknown])[], dynamic: DynamicMode): void {
    for (const [name, value] of members) {
      try {
        this.member(prefix, name, value, dynamic);
      } catch (error) {
        if (!this.leavesOutMisfits || !isShoalError(error)) throw error;
      }
    }
  }

  plain({ fields, values }: PlainDocument): void {
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldMapping;
      const value = values[i];
      if (value instanceof TextSpan) {
        this.fields.push(field);
        this.values.push(value);
        continue;
      }
      try {
        this.fieldValues(field, value);
      } catch (error) {
        if (!this.leavesOutMisfits || !isShoalError(error)) throw error;
      }
    }
  }

  /** Adds what is known of the document when all of it was seen. */
  finish(): void {
    for (const path of this.ignored) {
      this.fields.push(IGNORED_FIELD);
      this.values.push(path);
    }
    for (const field of this.mapping.constants) {
      this.fields.push(field);
      this.values.push(field.constant ?? '');
    }
  }

  private member(prefix: string, name: string, value: unknown, dynamic: DynamicMode): void {
    if (prefix === '' && name === DOC_COUNT_FIELD.path) {
      this.docCount(value);
      return;
    }
    if (prefix === '' && METADATA_NAMES.has(name)) {
      throw mapperParsing(
        `Field [${name}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
      );
    }
    if (name.trim() === '' || name.includes('.')) checkName(name);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const around = name.includes('.') ? this.nestedOnTheWay(path) : null;
    if (around === null) this.value(path, value, dynamic);
    // A dotted name stands for the objects that it goes through.
    else this.value(around, { [path.slice(around.length + 1)]: value }, this.dynamicAt(around, dynamic));
  }

  /** Outermost nested object between the document that is read and a value in it; null when there is none. */
  private nestedOnTheWay(path: string): string | null {
    const { nestedPaths } = this.mapping;
    return nestedPaths.find((nested) => path.startsWith(`${nested}.`) && isBelow(nested, this.frame)) ?? null;
  }

  /** How many documents this one stands for. */
  private docCount(value: unknown): void {
    for (const entry of Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value]) {
      try {
        if (this.fields.includes(DOC_COUNT_FIELD)) throw secondDocCount();
        const count = readDocCount(entry);
        this.fields.push(DOC_COUNT_FIELD);
        this.values.push(count);
      } catch (error) {
        if (!isShoalError(error)) throw error;
        throw this.parsingFailed(DOC_COUNT_FIELD.path, DOC_COUNT_FIELD.path, entry, error);
      }
    }
  }

  private parsingFailed(path: string, kind: string, value: unknown, cause: ShoalError): ShoalError {
    return mapperParsing(
      `failed to parse field [${path}] of type [${kind}] in document with id '${this.id}'. Preview of field's value: '${preview(value)}'`,
      cause,
    );
  }

  private value(path: string, value: unknown, dynamic: DynamicMode): void {
    const field = this.mapping.fields.get(path);
    if (field !== undefined && !field.isMultiField) this.fieldValues(field, value);
    else if (field === undefined && this.isReference(path)) throw notWritable('write', path);
    else if (value === null) this.checkMayBeAbsent(path, dynamic);
    else if (Array.isArray(value)) {
      this.checkMayBeAbsent(path, dynamic);
      for (const entry of value) this.value(path, entry, dynamic);
    } else if (typeof value === 'object') this.subObject(path, value, dynamic);
    else this.unmapped(path, value, dynamic);
  }

  /** True for a name that refers to another field. */
  private isReference(path: string): boolean {
    return this.mapping.named.has(path) && !this.mapping.runtime.has(path);
  }

  private subObject(path: string, value: object, dynamic: DynamicMode): void {
    const declared = this.mapping.objects.get(path);
    const flat = declared === undefined ? this.mapping.flatAround(path) : null;
    if ((declared ?? flat)?.isEnabled === false) return;
    if (flat !== null) this.objectInFlat(path, value, flat);
    else if (declared === undefined) {
      const mode = this.dynamicAt(path, dynamic);
      this.checkAncestors(path);
      if (mode === 'strict') throw strictMapping(path);
      if (mode === 'false') return;
      const known = this.newFields.get(path);
      const added = known ?? matchDynamicTemplate(this.mapping, path, 'object')?.declared ?? { type: 'object' };
      // Runtime fields have their whole paths as names: no object is needed around them.
      const isMapped = mode !== 'runtime' || matchDynamicTemplate(this.mapping, path, 'object') !== null;
      if (known === undefined && isMapped && !this.add(this.newFields, path, added)) return;
      // The document is read again with the new mapping: what a template makes one value, or leaves out, has no fields of its own,
      // and what it declares of an object is not to be guessed.
      const isRead = isObjectType(added.type) && String(added.enabled) !== 'false' && added.properties === undefined;
      if (isRead) this.object(path, Object.entries(value), mode);
    } else if (declared.nested === null) this.object(path, Object.entries(value), declared.dynamic);
    else this.nestedObject(declared, value, declared.nested);
  }

  /** The beginning of names, unless a template makes one value of it. */
  private objectInFlat(path: string, value: object, { dynamic }: ObjectMapping): void {
    const declared = dynamic === 'true' ? matchDynamicTemplate(this.mapping, path, 'object')?.declared : undefined;
    if (declared === undefined || isObjectType(declared.type)) this.object(path, Object.entries(value), dynamic);
    else if (!this.newFields.has(path)) this.add(this.newFields, path, declared);
  }

  private nestedObject({ path, dynamic }: ObjectMapping, value: object, options: NestedOptions): void {
    if (this.nested.length + this.frames.length > this.nestedMax) {
      throw mapperParsing(
        `The number of nested documents has exceeded the allowed limit of [${this.nestedMax}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      );
    }
    const parent = this.frame;
    const frame: Frame = { path, fields: [], values: [] };
    this.frames.push(frame);
    this.frame = frame;
    this.object(path, Object.entries(value), dynamic);
    this.frames.pop();
    this.frame = parent;
    this.nested.push(frame);
    if (options.isInParent || (options.isInRoot && parent.path === '')) addValues(parent, frame);
    if (options.isInRoot && parent.path !== '') addValues(this, frame);
  }

  /** A scalar at a path that is no field. */
  private unmapped(path: string, value: unknown, dynamic: DynamicMode): void {
    const object = this.mapping.objects.get(path);
    if (object !== undefined) {
      if (!object.isEnabled) return;
      throw noObject(path);
    }
    // Its values are made when the document is searched.
    if (this.mapping.runtime.has(path)) return;
    const mode = this.dynamicAt(path, dynamic);
    this.checkAncestors(path);
    if (mode === 'strict') throw strictMapping(path);
    if (mode === 'false') return;
    const known = this.newFields.get(path);
    if (this.newRuntime.has(path) || (known !== undefined && known.type !== undefined)) return;
    if (this.budget.isSpent) {
      this.ignored.add(path);
      return;
    }
    const first = { path, value, isFraction: this.isFraction(path, value), isRuntime: mode === 'runtime' };
    const { declared, isRuntime } = dynamicDeclaration(this.mapping, first);
    if (isObjectType(declared.type)) throw noObject(path);
    this.add(isRuntime ? this.newRuntime : this.newFields, path, declared);
  }

  /** False when the mapping can take no more, and the field is left out. */
  private add(into: NewFields, path: string, declared: MappingJson): boolean {
    const mayAdd = this.budget.take(path, declared, (above) => this.newFields.has(above));
    if (mayAdd) into.set(path, declared);
    else this.ignored.add(path);
    return mayAdd;
  }

  /** Refuses a name that a strict mapping lacks, whatever its value: nothing and an empty list map no field elsewhere. */
  private checkMayBeAbsent(path: string, dynamic: DynamicMode): void {
    const { objects, runtime } = this.mapping;
    if (objects.has(path) || runtime.has(path)) return;
    if (this.dynamicAt(path, dynamic) === 'strict') throw strictMapping(path);
  }

  /** Dotted names may pass objects with rules of their own on the way. */
  private dynamicAt(path: string, inherited: DynamicMode): DynamicMode {
    const dot = path.lastIndexOf('.');
    if (dot < 0) return inherited;
    const flat = this.mapping.flatAround(path);
    if (flat !== null) return flat.dynamic;
    return this.mapping.objects.get(path.slice(0, dot))?.dynamic ?? inherited;
  }

  private checkAncestors(path: string): void {
    if (this.mapping.flatAround(path) !== null) return;
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const name = path.slice(0, dot);
      const above = this.mapping.named.get(name);
      if (above === undefined || above.runtime !== null) continue;
      if (above.path !== name) throw notWritable('write', name);
      throw mapperParsing(
        `Could not dynamically add mapping for field [${path}]. Existing mapping for [${above.path}] must be of type object but found [${above.kind}].`,
      );
    }
  }

  private isFraction(path: string, value: unknown): boolean {
    if (typeof value === 'bigint') return value >= 2n ** 63n || value < -(2n ** 63n);
    if (typeof value !== 'number') return false;
    if (!Number.isInteger(value)) return true;
    this.fractions ??= fractionPaths(this.source);
    return this.fractions.has(path);
  }

  private fieldValues(field: FieldMapping, value: unknown): void {
    if (Array.isArray(value) && !isWholeValue(field.kind, value)) {
      for (const entry of value) this.fieldValues(field, entry);
      return;
    }
    const given = value === null ? nullValueOf(field) : value;
    if (given === null) {
      // A multi-field may have a null_value of its own.
      for (const multi of field.multiFields) if (multi.nullValue !== null) this.one(multi, multi.nullValue);
      return;
    }
    this.one(field, given);
    for (const multi of field.multiFields) this.one(multi, given);
    for (const target of field.copyTo) {
      const copy = this.mapping.fields.get(target);
      if (copy === undefined && this.isReference(target)) throw notWritable('copy', target);
      if (copy === undefined) this.unmapped(target, given, this.mapping.objects.get('')?.dynamic ?? 'true');
      else {
        const into = this.frameOf(copy);
        this.one(copy, given, into);
        for (const multi of copy.multiFields) this.one(multi, given, into);
      }
    }
  }

  /** The document that a field's values go into: the one that is read, or one around it. */
  private frameOf({ path }: FieldMapping): Frame {
    const around = this.mapping.nestedAround(path);
    const frame = this.frames.find((candidate) => candidate.path === around);
    assert(frame !== undefined, `no document is read that has [${path}]`);
    return frame;
  }

  private one(field: FieldMapping, value: unknown, into = this.frame): void {
    const type = fieldType(field.kind);
    let converted: IndexedValue | null;
    let parts: readonly FieldValue[] | null = null;
    try {
      if (typeof value === 'object' && value !== null && !isWholeValue(field.kind, value)) throw notScalar(value);
      converted = type.read(field, value, this.dates);
      if (converted === null && field.nullValue !== null && value === '') {
        converted = type.read(field, field.nullValue, this.dates);
      }
      if (converted !== null) parts = type.spread?.(field, converted, this.document) ?? null;
    } catch (error) {
      if (!isShoalError(error)) throw error;
      if (field.ignoreMalformed && (typeof value !== 'object' || typeOfField(field.kind).isWhole !== undefined)) {
        this.ignored.add(field.path);
        return;
      }
      if (type.tellsOwnErrors === true) throw mapperParsing('failed to parse', error);
      throw this.parsingFailed(field.path, field.kind, value, error);
    }
    // Every document has it, and gets it at the end.
    if (field.constant !== null) return;
    const learned = type.learned?.(field, value) ?? null;
    if (learned !== null)
      this.newFields.set(field.path, { ...declarationAt(this.mapping.json, field.path), ...learned });
    if (converted === null) {
      if (field.ignoreAbove !== null) this.ignored.add(field.path);
      return;
    }
    type.check(field, converted);
    if (type.isSingle !== undefined) {
      const before = new Set(into.fields.map(({ path }) => path));
      const twice = (parts ?? [{ field }]).find((part) => before.has(part.field.path));
      if (twice !== undefined) {
        throw this.parsingFailed(field.path, field.kind, value, illegalArgument(type.isSingle(twice.field)));
      }
    }
    if (parts === null) {
      into.fields.push(field);
      into.values.push(converted);
      return;
    }
    for (const part of parts) {
      into.fields.push(part.field);
      into.values.push(part.value);
    }
  }
}

/** What null stands for; of a field of objects that is for the leaves to say. */
function nullValueOf({ kind, nullValue }: FieldMapping): FieldMapping['nullValue'] {
  return typeOfField(kind).keyKind === undefined ? nullValue : null;
}
