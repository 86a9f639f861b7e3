/**
 * Functions of scripts of scores that compare the vector of a document with that of a request: a list of numbers.
 *
 * Products are floats that are summed as doubles, which is what Elasticsearch does: scores are the same to the last digit.
 */
import type { ContextFunction } from '../compile/compiler.ts';
import type { DocumentFields } from '../library/document-values.ts';
import { itemsOrNull } from '../library/items-of.ts';
import { magnitudeOf, VectorFieldValues } from '../library/vector-values.ts';
import { classCast, illegalArgumentException, nullPointer } from '../values/java-exception.ts';
import { numberType, rawNumber } from '../values/java-numbers.ts';
import { classOf, textOf } from '../values/java-text.ts';

/** A vector of a request, and the same one of length 1. */
interface QueryVector {
  readonly given: Float32Array;
  readonly unit: Float32Array;
}

/** Vectors by their lists, each read when it is first met: what a script changes in its list afterwards has no effect. */
const READ = new WeakMap<object, QueryVector>();

function queryVector(list: unknown, dims: number): QueryVector {
  if (typeof list !== 'object' || list === null) throw nullPointer();
  const known = READ.get(list) ?? null;
  const items = known === null ? (itemsOrNull(list) ?? []) : known.given;
  if (items.length !== dims) {
    throw illegalArgumentException(
      `The query vector has a different number of dimensions [${items.length}] than the document vectors [${dims}].`,
    );
  }
  if (known !== null) return known;
  const given = Float32Array.from(items, numberOf);
  const length = magnitudeOf(given);
  const vector = { given, unit: given.map((value) => value / length) };
  READ.set(list, vector);
  return vector;
}

function numberOf(item: unknown): number {
  if (item === null) throw nullPointer();
  if (numberType(item) !== null) return Number(rawNumber(item));
  throw classCast(`class ${classOf(item)} cannot be cast to class java.lang.Number`);
}

function comparison(measure: (query: QueryVector, vector: Float32Array) => number): ContextFunction {
  return {
    readsDocument: true,
    parameters: ['java.util.List', 'def'],
    returns: 'double',
    run: (doc: DocumentFields, list: unknown, named: unknown) => {
      if (named === null) throw nullPointer();
      // OpenSearch is given the values of the field, Elasticsearch its name.
      const field = named instanceof VectorFieldValues ? named : doc.field(textOf(named));
      if (!(field instanceof VectorFieldValues)) {
        throw classCast(
          `class ${field.javaClass} cannot be cast to class org.elasticsearch.xpack.vectors.query.DenseVectorScriptDocValues`,
        );
      }
      const query = queryVector(list, field.dims);
      return measure(query, field.vector());
    },
  };
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.fround((a[i] as number) * (b[i] as number));
  return sum;
}

function manhattan(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(Math.fround((a[i] as number) - (b[i] as number)));
  return sum;
}

function euclidean(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.fround((a[i] as number) - (b[i] as number));
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs((a[i] as number) - (b[i] as number)));
  return largest;
}

export const VECTOR_FUNCTIONS: Readonly<Record<string, ContextFunction>> = {
  cosineSimilarity: comparison(({ unit }, vector) => dotProduct(unit, vector) / Math.fround(magnitudeOf(vector))),
  dotProduct: comparison(({ given }, vector) => dotProduct(given, vector)),
  l1norm: comparison(({ given }, vector) => manhattan(given, vector)),
  l2norm: comparison(({ given }, vector) => euclidean(given, vector)),
  l1Norm: comparison(({ given }, vector) => manhattan(given, vector)),
  l2Squared: comparison(({ given }, vector) => euclidean(given, vector) ** 2),
  lInfNorm: comparison(({ given }, vector) => largestDifference(given, vector)),
  innerProduct: comparison(({ given }, vector) => dotProduct(given, vector)),
};
