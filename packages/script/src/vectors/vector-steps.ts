/**
 * Operations on vectors, as steps: arithmetic and comparisons of each type, choices, and functions of numbers.
 */
import type { Vector, VectorBatch, VectorStep, VectorType } from './vector.ts';
import { VECTOR_DOCS } from './vector.ts';

type NumberVectorType = 'int' | 'long' | 'double';

/** Steps in the order in which they run. */
export class VectorSteps {
  readonly #steps: VectorStep[] = [];

  /** @throws VectorsEnd where there are too many */
  add(step: VectorStep): void {
    if (this.#steps.length >= STEPS_MAX) throw new VectorsEnd();
    this.#steps.push(step);
  }

  run(batch: VectorBatch): void {
    for (const step of this.#steps) step(batch);
  }
}

/** Steps of one script: one that needs more gains little. */
const STEPS_MAX = 100;

/** A script that vectors cannot do: it runs for one document after the other. */
export class VectorsEnd extends Error {}

export function newValues(): Float64Array {
  return new Float64Array(VECTOR_DOCS);
}

/** Documents for which one vector or the other fails; null where neither does. */
export function unitedFails(steps: VectorSteps, a: Vector, b: Vector): Uint8Array | null {
  if (a.fails === null || a.fails === b.fails) return b.fails;
  if (b.fails === null) return a.fails;
  return ownFails(steps, a, b);
}

/** The same, in an array that the next step may write to. */
function ownFails(steps: VectorSteps, a: Vector, b: Vector): Uint8Array {
  const fails = new Uint8Array(VECTOR_DOCS);
  steps.add(({ count }) => {
    for (let i = 0; i < count; i++) fails[i] = (a.fails?.[i] ?? 0) | (b.fails?.[i] ?? 0);
  });
  return fails;
}

type Loop = (a: Float64Array, b: Float64Array, into: Float64Array, count: number) => void;

const DOUBLE_LOOPS: Readonly<Record<string, Loop>> = {
  '+': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) + (b[i] as number);
  },
  '-': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) - (b[i] as number);
  },
  '*': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) * (b[i] as number);
  },
  '/': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) / (b[i] as number);
  },
  '%': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) % (b[i] as number);
  },
};

const COMPARISON_LOOPS: Readonly<Record<string, Loop>> = {
  '<': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) < (b[i] as number) ? 1 : 0;
  },
  '<=': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) <= (b[i] as number) ? 1 : 0;
  },
  '>': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) > (b[i] as number) ? 1 : 0;
  },
  '>=': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = (a[i] as number) >= (b[i] as number) ? 1 : 0;
  },
  '==': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = a[i] === b[i] ? 1 : 0;
  },
  '!=': (a, b, into, count) => {
    for (let i = 0; i < count; i++) into[i] = a[i] !== b[i] ? 1 : 0;
  },
};

/** `a op b` of numbers that are both of a type. @throws VectorsEnd where the type has no such operator */
export function arithmeticVector(steps: VectorSteps, op: string, type: NumberVectorType, a: Vector, b: Vector): Vector {
  const loop = DOUBLE_LOOPS[op];
  if (loop === undefined) throw new VectorsEnd();
  const values = newValues();
  if (type === 'double') {
    const fails = unitedFails(steps, a, b);
    steps.add(({ count }) => loop(a.values, b.values, values, count));
    return { type, values, fails };
  }
  const fails = ownFails(steps, a, b);
  steps.add(({ count }) => {
    loop(a.values, b.values, values, count);
    settleWhole(op, type, b.values, values, fails, count);
  });
  return { type, values, fails };
}

/**
 * Makes whole numbers of what the loop of doubles gave: fractions of quotients are cut, and what is beyond the type, or divided by
 * zero, is marked.
 */
function settleWhole(
  op: string,
  type: 'int' | 'long',
  by: Float64Array,
  values: Float64Array,
  fails: Uint8Array,
  count: number,
): void {
  const divides = op === '/' || op === '%';
  const [least, most] = type === 'int' ? [INT_MIN, INT_MAX] : [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    if (!(value >= least && value <= most) || (divides && by[i] === 0)) fails[i] = 1;
    // Whole numbers have one zero.
    values[i] = Math.trunc(value) + 0;
  }
}

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/** `a op b`, a boolean. @throws VectorsEnd where there is no such comparison */
export function comparisonVector(steps: VectorSteps, op: string, a: Vector, b: Vector): Vector {
  const loop = COMPARISON_LOOPS[op];
  if (loop === undefined) throw new VectorsEnd();
  const values = newValues();
  const fails = unitedFails(steps, a, b);
  steps.add(({ count }) => loop(a.values, b.values, values, count));
  return { type: 'boolean', values, fails };
}

/** One of two vectors for each document: of the other it matters neither what it is nor whether it fails. */
export function chosenVector(
  steps: VectorSteps,
  type: VectorType,
  test: Vector,
  then: Vector,
  otherwise: Vector,
): Vector {
  const values = newValues();
  const [a, b] = [then, otherwise];
  steps.add(({ count }) => {
    for (let i = 0; i < count; i++) values[i] = (test.values[i] === 1 ? a.values[i] : b.values[i]) as number;
  });
  if (test.fails === null && a.fails === null && b.fails === null) return { type, values, fails: null };
  const fails = new Uint8Array(VECTOR_DOCS);
  steps.add(({ count }) => {
    for (let i = 0; i < count; i++) {
      const chosen = test.values[i] === 1 ? a.fails : b.fails;
      fails[i] = (test.fails?.[i] ?? 0) | (chosen?.[i] ?? 0);
    }
  });
  return { type, values, fails };
}

/** What a function gives for each value, of the documents for which all of them are known. */
export function mappedVector(
  steps: VectorSteps,
  type: VectorType,
  args: readonly [Vector] | readonly [Vector, Vector],
  map: (a: number, b: number) => number,
): Vector {
  const values = newValues();
  const [a, b = a] = args;
  const fails = unitedFails(steps, a, b);
  steps.add(({ count }) => {
    for (let i = 0; i < count; i++) values[i] = map(a.values[i] as number, b.values[i] as number);
  });
  return { type, values, fails };
}
