/**
 * How near two vectors are, as scores: the formulas of Elasticsearch, each of which grows with nearness and is never negative.
 */
import { assert, FloatNumber, illegalArgument, type ShoalError, unreachable } from '@shoal/core';
import type { VectorSimilarity } from '@shoal/schema';

/** Numbers of a vector that errors show. */
const PREVIEW_LENGTH = 5;
/** How far the squared length of a vector may be from 1 that is called one of unit length. */
const UNIT_TOLERANCE = 1e-3;
/** Factor that brings the product of two bytes below 1. */
const BYTE_PRODUCT_MAX = 1 << 15;

/** Score of the vector in `numbers`; NaN where the similarity says nothing about it. */
export type VectorScore = (numbers: Float32Array) => number;

/** Scores of vectors against that of a request. */
export function vectorScore(similarity: VectorSimilarity, query: Float32Array, isByte: boolean): VectorScore {
  assert(query.length > 0, 'a vector without numbers');
  switch (similarity) {
    case 'cosine': {
      const length = Math.sqrt(dotProduct(query, query));
      return (numbers) => cosineScore(query, length, numbers);
    }
    case 'dot_product': {
      if (!isByte) return (numbers) => Math.max((1 + dotProduct(query, numbers)) / 2, 0);
      const most = query.length * BYTE_PRODUCT_MAX;
      return (numbers) => 0.5 + dotProduct(query, numbers) / most;
    }
    case 'l2_norm':
      return (numbers) => 1 / (1 + squaredDistance(query, numbers));
    case 'max_inner_product':
      return (numbers) => positiveProduct(dotProduct(query, numbers));
    default:
      return unreachable(similarity);
  }
}

/** Score of vectors that are just as near as `least` says, in the terms of the similarity. */
export function scoreOfSimilarity(
  similarity: VectorSimilarity,
  least: number,
  { dims, isByte }: { readonly dims: number; readonly isByte: boolean },
): number {
  switch (similarity) {
    case 'cosine':
      return (1 + least) / 2;
    case 'dot_product':
      return isByte ? 0.5 + least / (dims * BYTE_PRODUCT_MAX) : (1 + least) / 2;
    case 'l2_norm':
      return 1 / (1 + least * least);
    case 'max_inner_product':
      return positiveProduct(least);
    default:
      return unreachable(similarity);
  }
}

/** Score of vectors at such a distance, as spaces of `knn_vector` measure it. */
export function scoreOfDistance(similarity: VectorSimilarity, distance: number): number {
  switch (similarity) {
    case 'cosine':
    case 'dot_product':
      return (2 - distance) / 2;
    case 'l2_norm':
      return 1 / (1 + distance);
    case 'max_inner_product':
      return positiveProduct(-distance);
    default:
      return unreachable(similarity);
  }
}

/** @throws ShoalError where the similarity asks for another length than the vector has */
export function checkMagnitude(similarity: VectorSimilarity, numbers: Float32Array, isByte: boolean): void {
  if (similarity === 'cosine' && numbers.every((number) => number === 0)) {
    throw illegalArgument(`The [cosine] similarity does not support vectors with zero magnitude.${preview(numbers)}`);
  }
  if (similarity !== 'dot_product' || isByte) return;
  if (Math.abs(dotProduct(numbers, numbers) - 1) <= UNIT_TOLERANCE) return;
  throw illegalArgument(`The [dot_product] similarity can only be used with unit-length vectors.${preview(numbers)}`);
}

/** @throws ShoalError where a number is none that a float holds */
export function checkFinite(numbers: Float32Array): void {
  const at = numbers.findIndex((number) => !Number.isFinite(number));
  if (at < 0) return;
  const found = `[${floatText(numbers[at] as number)}] at dim [${at}];${preview(numbers)}`;
  throw illegalArgument(`element_type [float] vectors do not support infinite values but found ${found}`);
}

/** @param what vectors that are checked, as errors name them */
export function checkBytes(numbers: readonly unknown[], what: string): void {
  for (const [at, number] of numbers.entries()) {
    const value = Number(number);
    if (!Number.isInteger(value))
      throw notAByte(numbers, what, { at, why: 'non-decimal values but found decimal value' });
    if (value < -128 || value > 127) {
      throw notAByte(numbers, what, { at, why: 'integers between [-128, 127] but found' });
    }
  }
}

function notAByte(
  numbers: readonly unknown[],
  what: string,
  { at, why }: { readonly at: number; readonly why: string },
): ShoalError {
  const shown = Float32Array.from(numbers, Number);
  return illegalArgument(
    `element_type [byte] ${what} only support ${why} [${floatText(shown[at] ?? 0)}] at dim [${at}];${preview(shown)}`,
  );
}

function preview(numbers: Float32Array): string {
  const shown = [...numbers.subarray(0, PREVIEW_LENGTH)].map(floatText);
  const more = numbers.length > PREVIEW_LENGTH ? ', ...' : '';
  return ` Preview of invalid vector: [${shown.join(', ')}${more}]`;
}

function floatText(value: number): string {
  return Number.isFinite(value) ? String(new FloatNumber(value)) : String(value);
}

function positiveProduct(product: number): number {
  return product < 0 ? 1 / (1 - product) : product + 1;
}

/** NaN for a vector without a direction. */
function cosineScore(query: Float32Array, length: number, numbers: Float32Array): number {
  let [product, square] = [0, 0];
  for (let i = 0; i < query.length; i++) {
    const number = numbers[i] as number;
    product += (query[i] as number) * number;
    square += number * number;
  }
  return Math.max((1 + product / (length * Math.sqrt(square))) / 2, 0);
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    sum += difference * difference;
  }
  return sum;
}
