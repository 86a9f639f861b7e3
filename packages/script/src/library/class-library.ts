/**
 * All classes that scripts may use, by name, and the search for their members through the classes they are kinds of.
 */
import { assert, lazy } from '@shoal/core';
import type { ScriptClass, ScriptMembers, ScriptMethod } from '../contract/script-class.ts';
import { TIME_CLASSES } from '../date-classes/time-classes.ts';
import { EXTRACTOR_CLASSES } from '../search-classes/extractor-classes.ts';
import { INTERVAL_CLASSES } from '../search-classes/interval-classes.ts';
import { SIMILARITY_CLASSES } from '../search-classes/similarity-classes.ts';
import { isArray, isPrimitive } from '../types/script-type.ts';
import { ANALYSIS_CLASSES } from './analysis-classes.ts';
import { COLLECTION_CLASSES } from './collection-classes.ts';
import { DECIMAL_CLASSES } from './decimal-classes.ts';
import { DOCUMENT_CLASSES } from './document-classes.ts';
import { EXCEPTION_CLASSES } from './exception-classes.ts';
import { MAP_CLASSES } from './map-classes.ts';
import { MOVING_FUNCTIONS } from './moving-functions.ts';
import { NUMBER_CLASSES } from './number-classes.ts';
import { NUMBER_FORMAT_CLASSES } from './number-format-classes.ts';
import { OBJECT_CLASSES } from './object-classes.ts';
import { PATH_CLASSES } from './paths.ts';
import { PROCESSOR_CLASSES } from './processor-classes.ts';
import { QUEUE_CLASSES } from './queue-classes.ts';
import { REGEX_CLASSES } from './regex-classes.ts';
import { SORTED_CLASSES } from './sorted-classes.ts';
import { STREAM_CLASSES } from './stream-classes.ts';
import { STRING_CLASSES } from './string-classes.ts';
import { TEXT_CLASSES } from './text-classes.ts';
import { VECTOR_CLASSES } from './vector-values.ts';

const OBJECT = 'java.lang.Object';

const CLASSES = new Map<string, ScriptClass>();
for (const one of [
  ...OBJECT_CLASSES,
  ...NUMBER_CLASSES,
  ...STRING_CLASSES,
  ...COLLECTION_CLASSES,
  ...MAP_CLASSES,
  ...SORTED_CLASSES,
  ...QUEUE_CLASSES,
  ...PATH_CLASSES,
  ...STREAM_CLASSES,
  ...REGEX_CLASSES,
  ...TIME_CLASSES,
  ...EXCEPTION_CLASSES,
  ...DECIMAL_CLASSES,
  ...NUMBER_FORMAT_CLASSES,
  ...TEXT_CLASSES,
  ...DOCUMENT_CLASSES,
  ...VECTOR_CLASSES,
  ...ANALYSIS_CLASSES,
  ...SIMILARITY_CLASSES,
  ...INTERVAL_CLASSES,
  ...EXTRACTOR_CLASSES,
  ...PROCESSOR_CLASSES,
  MOVING_FUNCTIONS,
]) {
  const known = CLASSES.get(one.name);
  // Two lists may declare parts of one class: methods of text that take patterns stand with the patterns.
  CLASSES.set(one.name, known === undefined ? one : together(known, one));
}

function together(known: ScriptClass, more: ScriptClass): ScriptClass {
  return { ...known, members: lazy(() => allOf(known.members(), more.members())) };
}

function allOf(known: ScriptMembers, more: ScriptMembers): ScriptMembers {
  return {
    methods: new Map([...known.methods, ...more.methods]),
    statics: new Map([...known.statics, ...more.statics]),
    constructors: new Map([...known.constructors, ...more.constructors]),
    constants: new Map([...known.constants, ...more.constants]),
  };
}

/** Names without their packages; those of functional interfaces are one type. */
const SHORT_NAMES = new Map<string, string>();
for (const name of CLASSES.keys()) {
  SHORT_NAMES.set(
    name.startsWith('java.util.Map.') ? name.slice('java.util.'.length) : name.slice(name.lastIndexOf('.') + 1),
    name,
  );
}
SHORT_NAMES.delete('lambda');
for (const name of [
  ...['Function', 'BiFunction', 'Predicate', 'BiPredicate', 'Consumer', 'BiConsumer', 'Supplier', 'UnaryOperator'],
  ...['BinaryOperator', 'ToIntFunction', 'ToLongFunction', 'ToDoubleFunction', 'Runnable', 'Collector', 'Comparator'],
]) {
  if (!SHORT_NAMES.has(name)) SHORT_NAMES.set(name, 'lambda');
}

/** Has static methods; as the type of a variable it is a function like the others. */
const COMPARATOR = 'java.util.Comparator';

/** Canonical name of a type as it is written in a script; null when there is none. */
export function resolveType(written: string): string | null {
  if (isArray(written)) {
    const element = resolveType(written.slice(0, -2));
    return element === null ? null : `${element}[]`;
  }
  if (written === 'def' || isPrimitive(written) || written === 'void') return written;
  const name = resolveClass(written);
  return name === COMPARATOR ? 'lambda' : name;
}

/** Canonical name of a class whose static members are asked for; null when there is none. */
export function resolveClass(written: string): string | null {
  const short = SHORT_NAMES.get(written);
  if (short !== undefined) return short;
  return CLASSES.has(written) && written !== 'lambda' ? written : null;
}

export function isTypeName(written: string): boolean {
  return resolveType(written) !== null;
}

function classNamed(name: string): ScriptClass {
  const found = CLASSES.get(name) ?? CLASSES.get(OBJECT);
  assert(found !== undefined, 'the library has no class of objects');
  return found;
}

/** True where objects of the one class are of the other too. */
export function isKindOf(name: string, other: string): boolean {
  if (name === other || other === OBJECT || other === 'def') return true;
  return CLASSES.get(name)?.supers.includes(other) ?? false;
}

const METHODS = new Map<string, Map<string, ScriptMethod | null>>();

/**
 * The method of a class or of those it is a kind of; null without one.
 *
 * @param key name and number of parameters: `substring/2`
 */
export function findMethod(className: string, key: string): ScriptMethod | null {
  let known = METHODS.get(className);
  if (known === undefined) {
    known = new Map();
    METHODS.set(className, known);
  }
  const found = known.get(key);
  if (found !== undefined) return found;
  const method = lookUp(className, key);
  // Names that nothing has are not remembered: scripts could ask for any number of them.
  if (method !== null) known.set(key, method);
  return method;
}

function lookUp(className: string, key: string): ScriptMethod | null {
  const own = classNamed(className);
  for (const name of [own.name, ...own.supers, OBJECT]) {
    const method = CLASSES.get(name)?.members().methods.get(key);
    if (method !== undefined) return method;
  }
  return null;
}

export function findStatic(className: string, key: string): ScriptMethod | null {
  return CLASSES.get(className)?.members().statics.get(key) ?? null;
}

export function findConstructor(className: string, arity: number): ScriptMethod | null {
  return CLASSES.get(className)?.members().constructors.get(arity) ?? null;
}

export function findConstant(
  className: string,
  name: string,
): { readonly type: string; readonly value: unknown } | null {
  return CLASSES.get(className)?.members().constants.get(name) ?? null;
}

/** The method that stands behind a field of that name: `getValue` behind `value`, `isEmpty` behind `empty`. */
export function findGetter(className: string, name: string): ScriptMethod | null {
  const upper = name.charAt(0).toUpperCase() + name.slice(1);
  return findMethod(className, `get${upper}/0`) ?? findMethod(className, `is${upper}/0`);
}

export function findSetter(className: string, name: string): ScriptMethod | null {
  return findMethod(className, `set${name.charAt(0).toUpperCase()}${name.slice(1)}/1`);
}
