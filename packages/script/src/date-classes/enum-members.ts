/**
 * What all enums have: constants, `values` and `valueOf`, names and places.
 */

import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { illegalArgumentException, nullPointer } from '../values/java-exception.ts';
import { JavaArray } from '../values/java-map.ts';
import type { ScriptObject } from '../values/script-object.ts';

interface EnumValue extends ScriptObject {
  readonly name: string;
  readonly ordinal: number;
}

export const ENUM_SUPERS: readonly string[] = ['java.lang.Enum', 'java.lang.Comparable', 'java.lang.Object'];

/** @param className canonical name of the class; `type` its name in signatures */
export function enumMembers(
  className: string,
  type: string,
  values: readonly EnumValue[],
): Record<string, Invoke | object> {
  return {
    ...Object.fromEntries(values.map((value) => [`const ${type} ${value.name}`, value])),
    [`static ${type} valueOf(String)`]: (_m: unknown, _s: unknown, name: string | null) => {
      if (name === null) throw nullPointer('Name is null');
      const found = values.find((value) => value.name === name);
      if (found === undefined) throw illegalArgumentException(`No enum constant ${className}.${name}`);
      return found;
    },
    [`static ${type}[] values()`]: () => new JavaArray(className, [...values]),
  };
}

export function enumClass(
  className: string,
  values: readonly EnumValue[],
  members: Record<string, Invoke> = {},
): ScriptClass {
  const type = className.slice(className.lastIndexOf('.') + 1);
  return scriptClass(className, [...ENUM_SUPERS], { ...enumMembers(className, type, values), ...members });
}

export const CLASS_OF_ENUM: ScriptClass = scriptClass('java.lang.Enum', ['java.lang.Comparable', 'java.lang.Object'], {
  'String name()': (_m, self: EnumValue) => self.name,
  'int ordinal()': (_m, self: EnumValue) => self.ordinal,
});
