/**
 * What can be assigned to: variables, fields and items, read and written with the parts before them evaluated once.
 */
import { compileFailure } from '../errors/script-error.ts';
import { findGetter, findSetter, isKindOf, resolveClass } from '../library/class-library.ts';
import type { AssignNode, ExpressionNode, FieldNode, IndexNode, StepNode } from '../syntax/painless-tree.ts';
import {
  elementType,
  isArray,
  isNumeric,
  LIST,
  MAP,
  promoted,
  type ScriptType,
  STRING,
  unboxed,
} from '../types/script-type.ts';
import { JavaException } from '../values/java-exception.ts';
import type { JavaArray, JavaMap } from '../values/java-map.ts';
import { boxed, castLike } from '../values/java-numbers.ts';
import { type Code, code, constant, type Frame, type Run } from './code.ts';
import { coerce, toDef } from './coerce.ts';
import type { Compiler } from './compiler.ts';
import { findConstantCode } from './constants.ts';
import { getField, getIndexed, setField, setIndexed } from './dynamic.ts';
import { entryReader, fieldReader } from './inline-cache.ts';
import { arithmetic } from './operators.ts';
import type { Scope } from './scope.ts';

interface Place {
  readonly type: ScriptType;
  /** Evaluates the parts before it, into slots of the frame; null: there are none. */
  readonly prepare: ((frame: Frame) => void) | null;
  readonly read: Run;
  /** Takes the value in the form of its type. */
  readonly write: (frame: Frame, value: unknown) => void;
}

/** `a.b.c` as one name; null where it is none. */
export function dottedName(node: ExpressionNode): string | null {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'field' || node.isSafe) return null;
  const before = dottedName(node.target);
  return before === null ? null : `${before}.${node.name}`;
}

/** Refuses a dotted name that begins with no variable and no class, as a whole. @param at place of what is asked of it */
export function checkResolved(node: ExpressionNode, scope: Scope, at: number): void {
  const path = dottedName(node);
  if (path === null) return;
  const parts = path.split('.');
  if (scope.find(parts[0] ?? '') !== null) return;
  if (parts.some((_, i) => resolveClass(parts.slice(0, i + 1).join('.')) !== null)) return;
  throw compileFailure(at, `cannot resolve symbol [${path}]`);
}

export function name(node: { readonly name: string; readonly at: number }, scope: Scope): Code {
  const variable = scope.find(node.name);
  if (variable !== null) {
    const { slot, type } = variable;
    return code(type, node.at, (frame) => frame.slots[slot]);
  }
  const className = resolveClass(node.name);
  if (className === null) throw compileFailure(node.at, `cannot resolve symbol [${node.name}]`);
  return { ...constant(className, node.at, null), className };
}

export function field(compiler: Compiler, node: FieldNode, scope: Scope): Code {
  const path = dottedName(node);
  const isVariable = path !== null && scope.find(path.split('.')[0] ?? '') !== null;
  const className = path === null || isVariable ? null : resolveClass(path);
  if (className !== null) return { ...constant(className, node.at, null), className };
  checkResolved(node, scope, node.at);
  const target = compiler.expression(node.target, scope);
  if (target.className !== undefined) return findConstantCode(target.className, node.name, node.at);
  if (!node.isSafe) return readField(target, node, scope);
  const slot = scope.fn.newSlot();
  const inner = fieldPlace(
    code(target.type, target.at, (frame) => frame.slots[slot]),
    node,
    scope.fn.newSlot(),
  );
  return code('def', node.at, (frame) => {
    const value = target.run(frame);
    if (value === null) return null;
    frame.slots[slot] = value;
    inner.prepare?.(frame);
    return boxed(inner.read(frame), inner.type);
  });
}

/** A field that is read and not assigned to: nothing before it has to be kept for a second look. */
function readField(target: Code, node: FieldNode, scope: Scope): Code {
  const { at, name: fieldName } = node;
  const { run, type } = target;
  if (type === 'def') {
    const read = fieldReader(fieldName);
    return code('def', at, (frame) => {
      const self = run(frame);
      frame.machine.at = at;
      return read(frame.machine, self);
    });
  }
  if (isKindOf(type, MAP) && findGetter(type, fieldName) === null) {
    return code('def', at, entryReader(scope, mapGiven(run, at), fieldName));
  }
  const place = fieldPlace(target, node, scope.fn.newSlot());
  return code(place.type, at, (frame) => {
    place.prepare?.(frame);
    return place.read(frame);
  });
}

/** The map that an expression gives, with `at` as the place of what fails from here on. */
function mapGiven(run: Run, at: number): (frame: Frame) => JavaMap {
  return (frame) => {
    const value = run(frame);
    frame.machine.at = at;
    if (value === null) throw nullTarget('an entry');
    return value as JavaMap;
  };
}

function nullTarget(what: string): JavaException {
  return new JavaException('java.lang.NullPointerException', `cannot access ${what} of null`);
}

function fieldPlace(target: Code, { at, name: fieldName }: FieldNode, slot: number): Place {
  const { type, run } = target;
  const prepare = (frame: Frame): void => {
    const value = run(frame);
    frame.machine.at = at;
    frame.slots[slot] = value;
  };
  if (type === 'def') {
    return {
      type: 'def',
      prepare,
      read: (frame) => getField(frame.machine, frame.slots[slot], fieldName),
      write: (frame, value) => setField(frame.machine, frame.slots[slot], fieldName, value),
    };
  }
  const readOnly = (): void => {
    throw compileFailure(at, `Cannot assign to a read-only field [${fieldName}] of [${type}].`);
  };
  if (isArray(type) && fieldName === 'length') {
    return { type: 'int', prepare, read: (frame) => (frame.slots[slot] as JavaArray).items.length, write: readOnly };
  }
  const getter = findGetter(type, fieldName);
  const setter = findSetter(type, fieldName);
  if (getter !== null) {
    return {
      type: getter.returns,
      prepare,
      read: (frame) => {
        const self = boxed(frame.slots[slot], type);
        if (self === null) throw nullTarget(`field [${fieldName}]`);
        return getter.invoke(frame.machine, self);
      },
      write: (frame, value) =>
        setter === null ? readOnly() : void setter.invoke(frame.machine, frame.slots[slot], value),
    };
  }
  if (isKindOf(type, MAP)) return mapPlace(prepare, slot, () => fieldName);
  if (isKindOf(type, LIST)) {
    if (!/^\d+$/.test(fieldName)) throw compileFailure(at, `invalid list index [${fieldName}]`);
    const index = boxed(Number(fieldName), 'int');
    return listPlace(prepare, slot, () => index);
  }
  throw compileFailure(at, `field [${type}, ${fieldName}] not found`);
}

function mapPlace(prepare: (frame: Frame) => void, slot: number, key: Run): Place {
  const map = (frame: Frame): JavaMap => {
    const value = frame.slots[slot];
    if (value === null) throw nullTarget('an entry');
    return value as JavaMap;
  };
  return {
    type: 'def',
    prepare,
    read: (frame) => map(frame).get(key(frame)),
    write: (frame, value) => {
      frame.machine.grow(1);
      map(frame).set(key(frame), value);
    },
  };
}

function listPlace(prepare: (frame: Frame) => void, slot: number, index: Run): Place {
  return {
    type: 'def',
    prepare,
    read: (frame) => getIndexed(frame.slots[slot], index(frame)),
    write: (frame, value) => setIndexed(frame.machine, frame.slots[slot], index(frame), value),
  };
}

export function index(compiler: Compiler, node: IndexNode, scope: Scope): Code {
  const target = compiler.expression(node.target, scope);
  const key = compiler.expression(node.index, scope);
  const known = toDef(key).constant;
  if (known !== undefined && target.type !== 'def' && isKindOf(target.type, MAP)) {
    return code('def', node.at, entryReader(scope, mapGiven(target.run, node.index.at), known.value));
  }
  const place = indexPlace(target, key, node, scope);
  return code(place.type, node.at, (frame) => {
    place.prepare?.(frame);
    return place.read(frame);
  });
}

function indexPlace(target: Code, key: Code, node: IndexNode, scope: Scope): Place {
  const slot = scope.fn.newSlot();
  const keySlot = scope.fn.newSlot();
  const { type } = target;
  const isList = isKindOf(type, LIST) || isArray(type);
  const keyRun = (isList && type !== 'def' ? toDef(coerce(key, 'int')) : toDef(key)).run;
  const prepare = (frame: Frame): void => {
    const value = target.run(frame);
    frame.slots[keySlot] = keyRun(frame);
    frame.slots[slot] = value;
    frame.machine.at = node.at;
  };
  const keyOf: Run = (frame) => frame.slots[keySlot];
  if (type !== 'def' && isKindOf(type, MAP)) return mapPlace(prepare, slot, keyOf);
  if (type === 'def' || isKindOf(type, LIST)) return writtenAt(node.at, listPlace(prepare, slot, keyOf));
  if (!isArray(type)) {
    throw compileFailure(node.at, `Attempting to address a non-array type [${type}] as an array.`);
  }
  const element = elementType(type);
  return {
    type: element,
    prepare,
    read: coerce(
      code('def', node.at, (frame) => getIndexed(frame.slots[slot], keyOf(frame))),
      element,
      true,
    ).run,
    write: (frame, value) => {
      frame.machine.at = node.at;
      setIndexed(frame.machine, frame.slots[slot], keyOf(frame), boxed(value, element));
    },
  };
}

/** The place, whose failures of writing stand at the brackets too: what is written was made in the meantime. */
function writtenAt(at: number, place: Place): Place {
  return {
    ...place,
    write(frame, value) {
      frame.machine.at = at;
      place.write(frame, value);
    },
  };
}

function placeOf(compiler: Compiler, node: ExpressionNode, scope: Scope): Place {
  if (node.kind === 'index') {
    return indexPlace(compiler.expression(node.target, scope), compiler.expression(node.index, scope), node, scope);
  }
  if (node.kind === 'field') {
    if (node.isSafe) throw compileFailure(node.at, `cannot assign to a null safe field [${node.name}]`);
    checkResolved(node, scope, node.at);
    const target = compiler.expression(node.target, scope);
    if (target.className !== undefined) {
      throw compileFailure(node.at, `Cannot assign to a read-only field [${node.name}] of [${target.className}].`);
    }
    return fieldPlace(target, node, scope.fn.newSlot());
  }
  if (node.kind !== 'name') throw compileFailure(node.at, 'cannot assign a value to a non-assignable expression');
  const variable = scope.find(node.name);
  if (variable === null) throw compileFailure(node.at, `cannot resolve symbol [${node.name}]`);
  if (variable.isReadOnly) throw compileFailure(node.at, `variable [${node.name}] is read-only`);
  const { slot, type } = variable;
  return {
    type,
    prepare: null,
    read: (frame) => frame.slots[slot],
    write: (frame, value) => {
      frame.slots[slot] = value;
    },
  };
}

export function assign(compiler: Compiler, node: AssignNode, scope: Scope): Code {
  if (!node.isAssignable) {
    throw compileFailure(node.at, 'invalid assignment: cannot assign a value to a non-assignable expression');
  }
  const place = placeOf(compiler, node.target, scope);
  const value = compiler.expression(node.value, scope);
  const { type, prepare, write } = place;
  const stored = node.op === '' ? coerce(value, type) : compound(node, place, value, scope);
  const { run } = stored;
  const { at } = node;
  return code(type, at, (frame) => {
    if (prepare !== null) prepare(frame);
    const made = run(frame);
    frame.machine.at = at;
    write(frame, made);
    return made;
  });
}

function compound({ op, at }: AssignNode, place: Place, value: Code, scope: Scope): Code {
  const before = code(place.type, at, place.read);
  if (place.type === 'def') {
    // Where text is added the place is taken for text: nothing else may stand in it.
    const isText = op === '+' && value.type === STRING;
    return likeBefore(before, scope, (remembered) =>
      arithmetic(op, at, isText ? coerce(remembered, STRING) : remembered, value),
    );
  }
  if (op === '+' && place.type === STRING) return arithmetic('+', at, before, value);
  return coerce(arithmetic(op, at, before, value), place.type, true);
}

/** What `change` makes of a value, as one of the class that the value had. */
function likeBefore({ at, run }: Code, scope: Scope, change: (remembered: Code) => Code): Code {
  const slot = scope.fn.newSlot();
  const changed = toDef(change(code('def', at, (frame) => frame.slots[slot]))).run;
  return code('def', at, (frame) => {
    const old = run(frame);
    frame.slots[slot] = old;
    const value = changed(frame);
    frame.machine.at = at;
    return castLike(value, old);
  });
}

/** `++` and `--`. */
export function step(compiler: Compiler, node: StepNode, scope: Scope): Code {
  const { at, op, isPrefix } = node;
  if (!node.isAssignable) {
    throw compileFailure(at, 'invalid assignment: cannot assign a value to a non-assignable expression');
  }
  const { type, prepare, read, write } = placeOf(compiler, node.target, scope);
  if (type !== 'def' && !isNumeric(promoted(unboxed(type), 'int') ?? '')) {
    throw compileFailure(at, `Cannot apply [${op}${op}] operation to type [${type}].`, 'class_cast_exception');
  }
  const slot = scope.fn.newSlot();
  const before = code(type, at, (frame) => frame.slots[slot]);
  const changed = arithmetic(op, at, before, constant('int', at, 1));
  const dynamic = toDef(changed).run;
  const after: Run =
    type === 'def' ? (frame) => castLike(dynamic(frame), frame.slots[slot]) : coerce(changed, type, true).run;
  return code(type, at, (frame) => {
    if (prepare !== null) prepare(frame);
    const old = read(frame);
    frame.slots[slot] = old;
    const made = after(frame);
    write(frame, made);
    return isPrefix ? made : old;
  });
}
