/**
 * Statements as one vector: what a script returns. A condition makes a choice of what is returned behind it and what is returned
 * without it, each with the variables that it sees.
 */
import { resolveType } from '../library/class-library.ts';
import type { AssignNode, StatementNode, StatementOf } from '../syntax/painless-tree.ts';
import { constantVector, type Vector } from './vector.ts';
import {
  booleanOf,
  castVector,
  numberOf,
  type VectorCompiler,
  type VectorScope,
  widenedVector,
} from './vector-compiler.ts';
import { unitedFails, VectorsEnd } from './vector-steps.ts';

/** Types of variables that may be declared. */
type DeclaredTypes = ReadonlyMap<string, string>;

interface Place {
  readonly scope: VectorScope;
  readonly types: DeclaredTypes;
}

/** Statements of a script, at most, those behind a condition counted once for either way. */
const STATEMENTS_MAX = 100;

/** @throws VectorsEnd where a statement has no vector */
export function resultVector(
  compiler: VectorCompiler,
  statements: readonly StatementNode[],
  returns: 'double' | 'boolean',
): Vector {
  let left = STATEMENTS_MAX;
  const nothing = constantVector(returns, 0);

  /** What is returned by the first statement that returns; the last may be an expression. */
  function returned(list: readonly StatementNode[], place: Place): Vector {
    const [first, ...rest] = list;
    if (first === undefined) return nothing;
    if (left-- === 0) throw new VectorsEnd();
    switch (first.kind) {
      case 'return':
        if (first.value === null) return nothing;
        return given(compiler.expression(first.value, place.scope));
      case 'declare': {
        const declared = declaring(compiler, first, place);
        return after(declared.made, returned(rest, declared.place));
      }
      case 'if': {
        const test = booleanOf(compiler.expression(first.test, place.scope));
        const then = returned([...first.then.list, ...rest], place);
        const otherwise = returned([...(first.otherwise?.list ?? []), ...rest], place);
        return compiler.chosen(test, then, otherwise);
      }
      case 'expression': {
        if (first.value.kind === 'assign') {
          const assigned = assigning(compiler, first.value, place);
          if (rest.length > 0) return after([assigned.made], returned(rest, assigned.place));
        }
        if (rest.length > 0) throw new VectorsEnd();
        return given(compiler.expression(first.value, place.scope));
      }
      default:
        throw new VectorsEnd();
    }
  }

  function given(vector: Vector): Vector {
    return returns === 'boolean' ? booleanOf(vector) : widenedVector(numberOf(vector), 'double');
  }

  /** A result behind what was computed for a variable, which may have failed. */
  function after(made: readonly Vector[], result: Vector): Vector {
    let whole = result;
    for (const one of made) whole = { ...whole, fails: unitedFails(compiler.steps, one, whole) };
    return whole;
  }

  return returned(statements, { scope: new Map(), types: new Map() });
}

function declaring(
  compiler: VectorCompiler,
  { type: written, variables }: StatementOf<'declare'>,
  { scope, types }: Place,
): { readonly made: readonly Vector[]; readonly place: Place } {
  const type = resolveType(written) ?? '';
  const [innerScope, innerTypes] = [new Map(scope), new Map(types)];
  const made: Vector[] = [];
  for (const { name, value } of variables) {
    if (value === null) throw new VectorsEnd();
    const vector = widenedVector(compiler.expression(value, innerScope), type);
    made.push(vector);
    innerScope.set(name, vector);
    innerTypes.set(name, type);
  }
  return { made, place: { scope: innerScope, types: innerTypes } };
}

/** `name = value` and `name op= value`. */
function assigning(
  compiler: VectorCompiler,
  { target, op, value }: AssignNode,
  { scope, types }: Place,
): { readonly made: Vector; readonly place: Place } {
  const name = target.kind === 'name' ? target.name : '';
  const [before, type] = [scope.get(name), types.get(name)];
  if (before === undefined || type === undefined) throw new VectorsEnd();
  const right = compiler.expression(value, scope);
  const made =
    op === '' ? widenedVector(right, type) : castVector(compiler.steps, compiler.operation(op, before, right), type);
  return { made, place: { scope: new Map([...scope, [name, made]]), types } };
}
