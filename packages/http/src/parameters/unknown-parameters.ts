/**
 * The 400 for parameters that a route does not know, with the nearest names that it does know.
 */
import { editDistance, illegalArgument, type ShoalError } from '@shoal/core';
import type { ParameterDeclarations } from './parameter-declaration.ts';

/** Similarity (1 for equal texts) above which a known name is worth suggesting. */
const SIMILARITY_MIN = 0.5;
/** Longest name that is compared: the edit distance is quadratic. */
const COMPARED_CHARS_MAX = 64;

/** null when all names are known. */
export function unknownParametersError(
  path: string,
  given: Iterable<string>,
  declared: ParameterDeclarations,
): ShoalError | null {
  const unknown: string[] = [];
  for (const name of given) if (!Object.hasOwn(declared, name)) unknown.push(name);
  if (unknown.length === 0) return null;
  unknown.sort();
  const known = Object.keys(declared);
  const details = unknown.map((name) => `[${name}]${suggestion(name, known)}`).join(', ');
  return illegalArgument(
    `request [${path}] contains unrecognized parameter${unknown.length > 1 ? 's' : ''}: ${details}`,
  );
}

function suggestion(name: string, known: readonly string[]): string {
  const near = known
    .map((candidate) => ({ candidate, similarity: similarity(name, candidate) }))
    .filter((scored) => scored.similarity > SIMILARITY_MIN)
    .sort((a, b) => b.similarity - a.similarity || (a.candidate < b.candidate ? -1 : 1))
    .map((scored) => scored.candidate);
  if (near.length === 0) return '';
  return near.length === 1 ? ` -> did you mean [${near[0]}]?` : ` -> did you mean any of [${near.join(', ')}]?`;
}

function similarity(a: string, b: string): number {
  if (a.length > COMPARED_CHARS_MAX || b.length > COMPARED_CHARS_MAX) return 0;
  return 1 - editDistance(a, b) / Math.max(a.length, b.length, 1);
}
