/**
 * Static types of painless: names of primitives, `def`, canonical names of classes, and arrays of these.
 */

/** `int`, `def`, `void`, `java.lang.String`, `int[]`. */
export type ScriptType = string;

export const OBJECT = 'java.lang.Object';
export const STRING = 'java.lang.String';
export const LIST = 'java.util.List';
export const MAP = 'java.util.Map';
export const FUNCTION = 'lambda';

/** Numeric primitives by width: each may become any behind it. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ['byte', 0],
  ['short', 1],
  ['char', 1],
  ['int', 2],
  ['long', 3],
  ['float', 4],
  ['double', 5],
]);

const BOXES: ReadonlyMap<string, string> = new Map([
  ['boolean', 'java.lang.Boolean'],
  ['byte', 'java.lang.Byte'],
  ['short', 'java.lang.Short'],
  ['char', 'java.lang.Character'],
  ['int', 'java.lang.Integer'],
  ['long', 'java.lang.Long'],
  ['float', 'java.lang.Float'],
  ['double', 'java.lang.Double'],
]);
const UNBOXED: ReadonlyMap<string, string> = new Map([...BOXES].map(([primitive, box]) => [box, primitive]));

export function isPrimitive(type: ScriptType): boolean {
  return BOXES.has(type);
}

export function isNumeric(type: ScriptType): boolean {
  return WIDTHS.has(type);
}

/** Class of the object that holds a primitive. */
export function boxOf(type: ScriptType): ScriptType {
  return BOXES.get(type) ?? type;
}

/** Primitive that an object of this class holds; the type itself when it holds none. */
export function unboxed(type: ScriptType): ScriptType {
  return UNBOXED.get(type) ?? type;
}

/** True where every value of the one number type is one of the other, as Java sees it. */
export function widens(from: ScriptType, to: ScriptType): boolean {
  const narrow = WIDTHS.get(from);
  const wide = WIDTHS.get(to);
  if (narrow === undefined || wide === undefined) return false;
  if (to === 'char') return from === 'char';
  if (from === 'char' && to === 'short') return false;
  return narrow <= wide;
}

/** Type that two numbers are brought to before they are added; null where one is not a number. */
export function promoted(left: ScriptType, right: ScriptType): 'int' | 'long' | 'float' | 'double' | null {
  if (!isNumeric(left) || !isNumeric(right)) return null;
  for (const type of ['double', 'float', 'long'] as const) if (left === type || right === type) return type;
  return 'int';
}

export function isArray(type: ScriptType): boolean {
  return type.endsWith('[]');
}

export function elementType(type: ScriptType): ScriptType {
  return type.slice(0, -2);
}
