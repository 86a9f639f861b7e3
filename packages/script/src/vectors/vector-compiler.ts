/**
 * Expressions as vectors, once the parameters of a script and the columns of a segment are known.
 *
 * What comes here was compiled as a whole before: nothing has to be refused, only left to the compiled script.
 */
import { number } from '../compile/literals.ts';
import { findStatic, resolveClass, resolveType } from '../library/class-library.ts';
import { ScriptMachine } from '../machine/script-machine.ts';
import type { CallNode, ExpressionNode, NodeOf } from '../syntax/painless-tree.ts';
import { promoted } from '../types/script-type.ts';
import type { JavaMap } from '../values/java-map.ts';
import { convertNumber, JavaInteger } from '../values/java-numbers.ts';
import { constantVector, VECTOR_DOCS, type Vector, type VectorColumn, type VectorType } from './vector.ts';
import {
  arithmeticVector,
  chosenVector,
  comparisonVector,
  mappedVector,
  newValues,
  VectorSteps,
  VectorsEnd,
} from './vector-steps.ts';

/** What a script reads. */
export interface VectorInputs {
  readonly params: JavaMap;
  /** null: the script is to run without vectors. */
  column(name: string): VectorColumn | null;
}

/** Local variables by name: each assignment makes a new vector. */
export type VectorScope = ReadonlyMap<string, Vector>;

export class VectorCompiler {
  readonly steps: VectorSteps = new VectorSteps();
  readonly #inputs: VectorInputs;
  readonly #fields = new Map<string, Vector>();

  constructor(inputs: VectorInputs) {
    this.#inputs = inputs;
  }

  /** @throws VectorsEnd where the expression has no vector */
  expression(node: ExpressionNode, scope: VectorScope): Vector {
    switch (node.kind) {
      case 'number': {
        const { type, constant } = number(node);
        return constantOf(type, constant?.value);
      }
      case 'boolean':
        return constantVector('boolean', Number(node.value));
      case 'name':
        return this.#name(node.name, scope);
      case 'field':
        if (node.isSafe) throw new VectorsEnd();
        return this.#member(node.target, node.name, scope);
      case 'index':
        if (!isVariable(node.target, 'params', scope) || node.index.kind !== 'string') throw new VectorsEnd();
        return this.#parameter(node.index.value);
      case 'call':
        return this.#call(node, scope);
      case 'binary':
        return this.#binary(node, scope);
      case 'unary':
        return this.#unary(node, scope);
      case 'ternary': {
        const test = booleanOf(this.expression(node.test, scope));
        return this.chosen(test, this.expression(node.then, scope), this.expression(node.otherwise, scope));
      }
      case 'cast':
        return castVector(this.steps, this.expression(node.value, scope), resolveType(node.type) ?? '');
      default:
        throw new VectorsEnd();
    }
  }

  /** `test ? then : otherwise`. */
  chosen(test: Vector, then: Vector, otherwise: Vector): Vector {
    const isMixed = then.type !== otherwise.type;
    if (isMixed && (then.type === 'boolean' || otherwise.type === 'boolean')) throw new VectorsEnd();
    return chosenVector(this.steps, isMixed ? 'mixed' : then.type, test, then, otherwise);
  }

  #name(name: string, scope: VectorScope): Vector {
    const known = scope.get(name);
    if (known !== undefined) return known;
    if (name !== '_score') throw new VectorsEnd();
    const values = newValues();
    this.steps.add(({ scores, count }) => {
      for (let i = 0; i < count; i++) values[i] = scores?.[i] ?? 0;
    });
    return { type: 'double', values, fails: null };
  }

  #parameter(name: string): Vector {
    const value = this.#inputs.params.get(name);
    if (value instanceof JavaInteger) return constantVector('int', value.value);
    if (typeof value === 'number') return constantVector('double', value);
    if (typeof value === 'boolean') return constantVector('boolean', Number(value));
    return constantOf('long', value);
  }

  /** `target.name`: a parameter, or a property of the values of a field. */
  #member(target: ExpressionNode, name: string, scope: VectorScope): Vector {
    if (isVariable(target, 'params', scope) && !MAP_PROPERTIES.has(name)) return this.#parameter(name);
    const field = fieldName(target, scope);
    if (field === null) throw new VectorsEnd();
    switch (name) {
      case 'value':
        return this.#field(field, 'first');
      case 'length':
        return this.#field(field, 'counts');
      case 'empty':
        return comparisonVector(this.steps, '==', this.#field(field, 'counts'), constantVector('int', 0));
      default:
        throw new VectorsEnd();
    }
  }

  /** Vector of a field, which is read once however often the script names it. */
  #field(name: string, what: 'first' | 'counts'): Vector {
    const key = `${what} ${name}`;
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const column = this.#inputs.column(name);
    if (column === null) throw new VectorsEnd();
    const values = newValues();
    const fails = new Uint8Array(VECTOR_DOCS);
    if (what === 'counts') this.steps.add((batch) => column.counts(batch, values));
    else this.steps.add((batch) => column.first(batch, values, fails));
    const made: Vector =
      what === 'counts'
        ? { type: 'int', values, fails: null }
        : { type: column.type, values, fails: column.isWhole ? null : fails };
    this.#fields.set(key, made);
    return made;
  }

  #call({ target, name, args, isSafe }: CallNode, scope: VectorScope): Vector {
    if (isSafe) throw new VectorsEnd();
    const given = args ?? [];
    const field = fieldName(target, scope);
    if (field !== null && given.length === 0) return this.#member(target, FIELD_METHODS.get(name) ?? '', scope);
    const className = target.kind === 'name' && !scope.has(target.name) ? resolveClass(target.name) : null;
    const method = className === null ? null : findStatic(className, `${name}/${given.length}`);
    if (method === null || method.returns !== 'double') throw new VectorsEnd();
    if (method.parameters.some((type) => type !== 'double')) throw new VectorsEnd();
    const [a, b = a] = given.map((arg) => numberOf(this.expression(arg, scope)));
    if (a === undefined || b === undefined || given.length > 2) throw new VectorsEnd();
    const machine = new ScriptMachine();
    const { invoke } = method;
    const map =
      given.length === 1
        ? (x: number) => invoke(machine, null, x) as number
        : (x: number, y: number) => invoke(machine, null, x, y) as number;
    return mappedVector(this.steps, 'double', [a, b], map);
  }

  #binary({ op, left, right }: NodeOf<'binary'>, scope: VectorScope): Vector {
    const a = this.expression(left, scope);
    const b = this.expression(right, scope);
    if (op === '&&')
      return chosenVector(this.steps, 'boolean', booleanOf(a), booleanOf(b), constantVector('boolean', 0));
    if (op === '||')
      return chosenVector(this.steps, 'boolean', booleanOf(a), constantVector('boolean', 1), booleanOf(b));
    return this.operation(op, a, b);
  }

  /** `a op b`, of arithmetic or a comparison. */
  operation(op: string, a: Vector, b: Vector): Vector {
    if (a.type === 'boolean' || b.type === 'boolean') {
      if (a.type !== b.type || (op !== '==' && op !== '!=')) throw new VectorsEnd();
      return comparisonVector(this.steps, op, a, b);
    }
    if (COMPARISONS.has(op)) return comparisonVector(this.steps, op, a, b);
    return arithmeticVector(this.steps, op, bothOf(a, b), a, b);
  }

  #unary({ op, value }: NodeOf<'unary'>, scope: VectorScope): Vector {
    const of = this.expression(value, scope);
    if (op === '!') return comparisonVector(this.steps, '==', booleanOf(of), constantVector('boolean', 0));
    if (op === '+') return numberOf(of);
    if (op !== '-' || of.type === 'mixed') throw new VectorsEnd();
    if (of.type === 'double') return mappedVector(this.steps, 'double', [of], (x) => -x);
    return this.operation('-', constantVector('int', 0), of);
  }
}

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);
/** Methods of the values of a field, and the properties that are the same. */
const FIELD_METHODS: ReadonlyMap<string, string> = new Map([
  ['getValue', 'value'],
  ['size', 'length'],
  ['getLength', 'length'],
  ['isEmpty', 'empty'],
]);
/** What a map has behind these names is not what was put into it. */
const MAP_PROPERTIES: ReadonlySet<string> = new Set(['empty', 'class']);
/** Type that arithmetic brings both to. */
function bothOf(a: Vector, b: Vector): 'int' | 'long' | 'double' {
  if (a.type === 'double' || b.type === 'double') return 'double';
  const type = promoted(a.type, b.type);
  if (type === 'int' || type === 'long') return type;
  throw new VectorsEnd();
}

function constantOf(type: string, value: unknown): Vector {
  if (type === 'long' && typeof value === 'bigint' && Number.isSafeInteger(Number(value))) {
    return constantVector('long', Number(value));
  }
  if ((type === 'int' || type === 'double') && typeof value === 'number') return constantVector(type, value);
  throw new VectorsEnd();
}

function isVariable(node: ExpressionNode, name: string, scope: VectorScope): boolean {
  return node.kind === 'name' && node.name === name && !scope.has(name);
}

/** Name of the field whose values an expression is, as `doc['name']` or `doc.name`; null for any other expression. */
function fieldName(node: ExpressionNode, scope: VectorScope): string | null {
  if (node.kind === 'index' && node.index.kind === 'string' && isVariable(node.target, 'doc', scope)) {
    return node.index.value;
  }
  const isField = node.kind === 'field' && !node.isSafe && isVariable(node.target, 'doc', scope);
  return isField && !MAP_PROPERTIES.has(node.name) ? node.name : null;
}

/** @throws VectorsEnd where it is none */
export function booleanOf(vector: Vector): Vector {
  if (vector.type !== 'boolean') throw new VectorsEnd();
  return vector;
}

/** @throws VectorsEnd where it is none */
export function numberOf(vector: Vector): Vector {
  if (vector.type === 'boolean') throw new VectorsEnd();
  return vector;
}

const WIDTHS: readonly VectorType[] = ['int', 'long', 'double'];

/** The vector as one of a declared type, without a cast. @throws VectorsEnd where that needs one */
export function widenedVector(vector: Vector, type: string): Vector {
  if (type === 'def' || vector.type === type) return vector;
  const [from, to] = [WIDTHS.indexOf(vector.type), WIDTHS.indexOf(type as VectorType)];
  const widens = vector.type === 'mixed' ? type === 'double' : from >= 0 && from < to;
  if (!widens) throw new VectorsEnd();
  const { constant: _, ...same } = vector;
  return { ...same, type: type as VectorType };
}

/** A cast that is written. */
export function castVector(steps: VectorSteps, vector: Vector, type: string): Vector {
  if (vector.type === 'double' && type === 'int') {
    return mappedVector(steps, 'int', [vector], (x) => convertNumber(x, 'int') as number);
  }
  return widenedVector(vector, type);
}
