/**
 * Scripts over batches of documents: as vectors where the script and the columns that it reads allow it, else, and for documents that
 * those cannot tell of, one document after the other.
 */
import { isShoalError } from '@shoal/core';
import { VECTOR_DOCS, type VectorBatch, type VectorColumn, type VectorProgram } from '@shoal/script';
import { checkColumn } from '../../field-types/field-types.ts';
import { isLive } from '../../format/flat-segment.ts';
import type { NumericColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { isWholeKind } from './script-document.ts';

/** Gives the script's result for a document; `score` is what the script sees as `_score`, where its context has one. */
export type BoundScript = (doc: number, score: number) => unknown;

/** Results of a script of numbers or booleans over the documents of a segment. */
export class ScriptVectors {
  readonly #program: VectorProgram;
  readonly #run: BoundScript;
  readonly #live: Uint8Array | null;
  readonly #batch: VectorBatch = { docs: new Uint32Array(0), count: 0, scores: null };

  /**
   * @param run the same script for one document
   * @param live documents over which the script may fail, where others have the result 0; null: all
   */
  constructor(program: VectorProgram, run: BoundScript, live: Uint8Array | null) {
    this.#program = program;
    this.#run = run;
    this.#live = live;
  }

  /**
   * Writes the results of the first `count` documents, from `at` on; a boolean as 0 or 1.
   *
   * @param scores beside the documents; null for a script that reads none
   * @throws ShoalError `script_exception` where the script fails for one of them
   */
  fill(docs: Uint32Array, count: number, scores: Float32Array | null, into: Float64Array, at: number): void {
    const batch = this.#batch;
    const { values, fails } = this.#program;
    for (let from = 0; from < count; from += VECTOR_DOCS) {
      batch.count = Math.min(VECTOR_DOCS, count - from);
      batch.docs = docs.subarray(from, from + batch.count);
      batch.scores = scores === null ? null : scores.subarray(from, from + batch.count);
      this.#program.run(batch);
      into.set(batch.count === VECTOR_DOCS ? values : values.subarray(0, batch.count), at + from);
      if (fails !== null) this.#runFailed(fails, into, at + from);
    }
  }

  #runFailed(fails: Uint8Array, into: Float64Array, at: number): void {
    const { docs, count, scores } = this.#batch;
    for (let i = fails.indexOf(1); i >= 0 && i < count; i = fails.indexOf(1, i + 1)) {
      const doc = docs[i] as number;
      const isAsked = this.#live === null || isLive(this.#live, doc);
      into[at + i] = isAsked ? Number(this.#run(doc, scores?.[i] ?? 0)) : 0;
    }
  }
}

/** The column of a field for vectors; null where scripts see something else of it, or nothing. */
export function vectorColumn(ctx: CompileContext, view: SegmentView, name: string): VectorColumn | null {
  const field = ctx.mapping.field(name);
  if (field === null || field.runtime !== null) return null;
  const { kind, path } = field;
  const type = isWholeKind(kind) ? 'long' : kind === 'boolean' ? 'boolean' : 'double';
  if (type === 'double' && kind !== 'double' && kind !== 'float') return null;
  try {
    checkColumn(field);
  } catch (error) {
    // The script says so of the document for which it reads the field.
    if (isShoalError(error)) return null;
    throw error;
  }
  const column = view.segment.numericColumn(path);
  return column === null || column.isWide ? null : columnVectors(type, column);
}

function columnVectors(type: VectorColumn['type'], column: NumericColumn): VectorColumn {
  if (column.isDense) {
    return {
      type,
      isWhole: true,
      counts: ({ count }, into) => void into.fill(1, 0, count),
      first: ({ docs, count }, into) => column.gather(docs, count, into),
    };
  }
  return {
    type,
    isWhole: false,
    counts({ docs, count }, into) {
      for (let i = 0; i < count; i++) {
        const doc = docs[i] as number;
        into[i] = column.start(doc + 1) - column.start(doc);
      }
    },
    first({ docs, count }, into, fails) {
      for (let i = 0; i < count; i++) {
        const doc = docs[i] as number;
        const index = column.start(doc);
        const isMissing = index === column.start(doc + 1);
        fails[i] = isMissing ? 1 : 0;
        into[i] = isMissing ? Number.NaN : column.value(index);
      }
    },
  };
}
