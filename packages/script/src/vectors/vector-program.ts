/**
 * A script as vectors: arithmetic, comparisons and choices among numbers of fields, of parameters and of the score, with local
 * variables and conditions, and without loops, and without calls but those of functions of doubles. All other scripts have none.
 */
import type { ScriptTree } from '../syntax/painless-tree.ts';
import type { VectorBatch } from './vector.ts';
import { VectorCompiler, type VectorInputs } from './vector-compiler.ts';
import { resultVector } from './vector-statements.ts';
import { VectorsEnd } from './vector-steps.ts';

/** A script over the documents of a segment. */
export interface VectorProgram {
  /** Results of the first documents of the last batch. A boolean is 0 or 1. */
  readonly values: Float64Array;
  /** 1: the compiled script is to be run for this document. null: for none. */
  readonly fails: Uint8Array | null;
  /** @param batch at most `VECTOR_DOCS` documents */
  run(batch: VectorBatch): void;
}

/** @returns null where the script cannot be done so */
export function vectorProgram(
  tree: ScriptTree,
  returns: 'double' | 'boolean',
  inputs: VectorInputs,
): VectorProgram | null {
  if (tree.functions.length > 0) return null;
  const compiler = new VectorCompiler(inputs);
  try {
    const { values, fails } = resultVector(compiler, tree.statements, returns);
    return { values, fails, run: (batch) => compiler.steps.run(batch) };
  } catch (error) {
    if (error instanceof VectorsEnd) return null;
    throw error;
  }
}
