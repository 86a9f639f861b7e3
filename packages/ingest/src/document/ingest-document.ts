/**
 * A document on its way through a pipeline: its fields, and its metadata beside them under names such as `_index`, so that
 * processors change both alike.
 *
 * Belongs to one run: processors change it in place.
 */
import { cloneValue } from '@shoal/agent-event';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { DocumentMap, DocumentValue } from '../values/document-value.ts';
import { javaType, sameValue } from '../values/java-types.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';

/** Metadata that processors may change; anything else that starts with `_` is a field. */
export const METADATA_FIELDS = [
  '_index',
  '_id',
  '_routing',
  '_version',
  '_version_type',
  '_if_seq_no',
  '_if_primary_term',
] as const;

export type MetadataField = (typeof METADATA_FIELDS)[number];

export interface AppendOptions {
  /** false: a value that is already there is left out. */
  readonly allowsDuplicates: boolean;
}

/** Characters of a path that an error shows, where it is too long. */
const PATH_SHOWN_MAX = 200;
/** Objects and lists in one another: deeper documents are refused wherever they are read. */
const DEPTH_MAX = 1_000;
/** Values that one run may copy: copies of copies grow without limit in a few steps. */
const COPIED_VALUES_MAX = 1_000_000;

export class IngestDocument {
  /** Fields and metadata. */
  readonly fields: DocumentMap;
  /** `_ingest`: the time of the run, and what processors tell each other. */
  readonly ingest: DocumentMap;
  #copiedValues = 0;
  #isRerouted = false;

  constructor(fields: DocumentMap, ingest: DocumentMap) {
    this.fields = fields;
    this.ingest = ingest;
  }

  /** A document that shares nothing with this one. */
  copy(): IngestDocument {
    return new IngestDocument(cloneMap(this.fields), cloneMap(this.ingest));
  }

  /** Whether a `reroute` sent the document to an index since the last `arrive`: no processor of these pipelines sees it any more. */
  get isRerouted(): boolean {
    return this.#isRerouted;
  }

  /** Sends the document to an index, whose own pipelines come next. */
  reroute(index: string): void {
    this.fields.set('_index', index);
    this.#isRerouted = true;
  }

  /** The document is at its index: a later `reroute` counts anew. */
  arrive(): void {
    this.#isRerouted = false;
  }

  /** A value that shares nothing with `value`. @throws illegal_argument_exception when the run has copied too much */
  copied(value: DocumentValue): DocumentValue {
    if (typeof value === 'object' && value !== null) {
      this.#copiedValues += countValues(value);
      if (this.#copiedValues > COPIED_VALUES_MAX) {
        throw illegalArgument(`the pipeline copies more than [${COPIED_VALUES_MAX}] values of one document`);
      }
    }
    return cloneValue(value);
  }

  /** @throws illegal_argument_exception where the path leads nowhere */
  get(path: FieldPath): DocumentValue {
    let found: DocumentValue = this.#root(path);
    for (const element of path.elements) found = step(found, element, path);
    return found;
  }

  /** null where the path leads nowhere. */
  find(path: FieldPath): DocumentValue {
    return this.has(path) ? this.get(path) : null;
  }

  /** The text at the path; null where there is a null. @throws illegal_argument_exception for another kind of value */
  text(path: FieldPath): string | null {
    const value = this.get(path);
    if (value !== null && typeof value !== 'string') throw notOfType(path, value, 'java.lang.String');
    return value;
  }

  has(path: FieldPath): boolean {
    let found: DocumentValue = this.#root(path);
    for (const element of path.elements) {
      if (found instanceof Map) {
        if (!found.has(element)) return false;
        found = found.get(element) ?? null;
      } else if (Array.isArray(found)) {
        const index = indexOf(element);
        if (index === null || index >= found.length) return false;
        found = found[index] ?? null;
      } else return false;
    }
    return true;
  }

  /** Objects on the way are made. @throws illegal_argument_exception where something else stands in the way */
  set(path: FieldPath, value: DocumentValue): void {
    checkDepth(path, value);
    const { parent, leaf } = this.#parent(path);
    if (parent instanceof Map) parent.set(leaf, value);
    else parent[listIndex(parent, leaf, path)] = value;
  }

  /** Adds to the list at the path; one value there becomes a list. */
  append(path: FieldPath, value: DocumentValue, options: AppendOptions): void {
    checkDepth(path, value);
    const { parent, leaf } = this.#parent(path);
    if (parent instanceof Map) {
      const known = parent.get(leaf);
      const list = known === undefined ? [] : Array.isArray(known) ? known : [known];
      parent.set(leaf, appended(list, value, known === undefined ? { allowsDuplicates: true } : options));
      return;
    }
    const index = listIndex(parent, leaf, path);
    const known = parent[index] ?? null;
    parent[index] = appended(Array.isArray(known) ? known : [known], value, options);
  }

  /** @throws illegal_argument_exception where the path leads nowhere */
  remove(path: FieldPath): void {
    let parent: DocumentValue = this.#root(path);
    for (const element of path.elements.slice(0, -1)) parent = step(parent, element, path);
    const leaf = path.elements.at(-1) ?? '';
    const where = `as part of path [${path.text}]`;
    if (parent instanceof Map) {
      if (!parent.delete(leaf)) throw illegalArgument(`field [${leaf}] not present ${where}`);
    } else if (Array.isArray(parent)) parent.splice(listIndex(parent, leaf, path), 1);
    else {
      const what = parent === null ? 'null' : `object of type [${javaType(parent)}]`;
      throw illegalArgument(`cannot remove [${leaf}] from ${what} ${where}`);
    }
  }

  #root(path: FieldPath): DocumentMap {
    if (path.text === '') throw illegalArgument('path cannot be null nor empty');
    if (path.elements.length === 0) throw illegalArgument(`path [${path.text}] is not valid`);
    return path.root === 'ingest' ? this.ingest : this.fields;
  }

  #parent(path: FieldPath): { readonly parent: DocumentMap | DocumentValue[]; readonly leaf: string } {
    let parent: DocumentValue = this.#root(path);
    for (const element of path.elements.slice(0, -1)) {
      if (parent instanceof Map && !parent.has(element)) {
        const made: DocumentMap = new Map();
        parent.set(element, made);
        parent = made;
      } else parent = step(parent, element, path);
    }
    const leaf = path.elements.at(-1) ?? '';
    if (parent instanceof Map || Array.isArray(parent)) return { parent, leaf };
    const what = parent === null ? 'null parent' : `parent object of type [${javaType(parent)}]`;
    throw illegalArgument(`cannot set [${leaf}] with ${what} as part of path [${path.text}]`);
  }
}

/** 400: another type is needed. */
export function notOfType(path: FieldPath, value: DocumentValue, wanted: string): Error {
  return illegalArgument(`field [${path.text}] of type [${javaType(value)}] cannot be cast to [${wanted}]`);
}

/** The list at the path. @throws illegal_argument_exception for another kind of value */
export function listAt(document: IngestDocument, path: FieldPath): DocumentValue[] | null {
  const value = document.get(path);
  if (value !== null && !Array.isArray(value)) throw notOfType(path, value, 'java.util.List');
  return value;
}

/** Path of a metadata field. */
export function metadataPath(name: MetadataField): FieldPath {
  return parseFieldPath(name);
}

function step(from: DocumentValue, element: string, path: FieldPath): DocumentValue {
  const where = `as part of path [${path.text}]`;
  if (from instanceof Map) {
    const found = from.get(element);
    if (found === undefined) throw illegalArgument(`field [${element}] not present ${where}`);
    return found;
  }
  if (Array.isArray(from)) return from[listIndex(from, element, path)] ?? null;
  if (from === null) throw illegalArgument(`cannot resolve [${element}] from null ${where}`);
  throw illegalArgument(`cannot resolve [${element}] from object of type [${javaType(from)}] ${where}`);
}

function listIndex(list: readonly DocumentValue[], element: string, path: FieldPath): number {
  const where = `as part of path [${path.text}]`;
  const index = indexOf(element);
  if (index === null) {
    throw illegalArgument(`[${element}] is not an integer, cannot be used as an index ${where}`, {
      causedBy: new ShoalError('number_format_exception', 400, `For input string: "${element}"`),
    });
  }
  if (index < 0 || index >= list.length) {
    throw illegalArgument(`[${index}] is out of bounds for array with length [${list.length}] ${where}`);
  }
  return index;
}

function indexOf(element: string): number | null {
  return /^[+-]?\d{1,9}$/.test(element) ? Number(element) : null;
}

function appended(list: DocumentValue[], value: DocumentValue, { allowsDuplicates }: AppendOptions): DocumentValue[] {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (allowsDuplicates || !list.some((known) => sameValue(known, item))) list.push(item);
  }
  return list;
}

/** @throws illegal_argument_exception where the value would stand too deep */
function checkDepth(path: FieldPath, value: DocumentValue): void {
  const left = DEPTH_MAX - path.elements.length;
  if (left > 0 && fitsDepth(value, left)) return;
  throw illegalArgument(
    `a document of more than [${DEPTH_MAX}] levels, at path [${path.text.slice(0, PATH_SHOWN_MAX)}]`,
  );
}

function fitsDepth(value: DocumentValue, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (left === 0) return false;
  if (Array.isArray(value)) return value.every((item) => fitsDepth(item, left - 1));
  if (value instanceof Map) for (const item of value.values()) if (!fitsDepth(item, left - 1)) return false;
  return true;
}

function cloneMap(map: DocumentMap): DocumentMap {
  return new Map([...map].map(([name, value]) => [name, cloneValue(value)]));
}

function countValues(value: DocumentValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) for (const item of value) count += countValues(item);
  else if (value instanceof Map) for (const item of value.values()) count += countValues(item);
  return count;
}
