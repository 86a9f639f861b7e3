/**
 * Scripts of a search that run over documents: one program for the shard, one document at a time of a segment.
 */
import { ShoalError } from '@shoal/core';
import {
  fromPlain,
  type JavaMap,
  paramsOf,
  programOf,
  type ScriptContext,
  type ScriptProgram,
  type ScriptRequest,
  textOf,
} from '@shoal/script';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { scriptDocument } from './runtime-values.ts';
import { type BoundScript, ScriptVectors, vectorColumn } from './script-vectors.ts';

const NOT_FOUND = 404;
/** Position of `_score` among the variables of the contexts that have it. */
const SCORE_POSITION = 2;

export class DocumentScript {
  readonly script: ScriptRequest;
  /** False where the script names no `_score`: whatever score it is given, it runs the same. */
  readonly readsScore: boolean;
  readonly #ctx: CompileContext;
  readonly #program: ScriptProgram;
  readonly #hasScore: boolean;
  readonly #added: Readonly<Record<string, number>>;

  /**
   * @param added whole numbers among the parameters that the request does not have
   * @param context its variables are `params`, `doc` and, where it has a third, `_score`
   * @throws ShoalError where the script does not compile, or is not stored
   */
  constructor(
    ctx: CompileContext,
    script: ScriptRequest,
    context: ScriptContext,
    added: Readonly<Record<string, number>> = {},
  ) {
    if (script.source === null) throw storedScriptMissing(script);
    this.script = script;
    this.#added = added;
    this.#ctx = ctx;
    this.#program = programOf(script, context);
    this.#hasScore = context.variables[SCORE_POSITION]?.name === '_score';
    this.readsScore = this.#hasScore && script.source.includes('_score');
  }

  /** The script for one document at a time. */
  bind(view: SegmentView): BoundScript {
    const document = scriptDocument(this.#ctx, view);
    if (!this.#hasScore) {
      const program = this.#program.bind([this.#params(), document.fields]);
      return (doc) => {
        document.doc = doc;
        return program.run();
      };
    }
    const program = this.#program.bind([this.#params(), document.fields, 0]);
    const { readsScore } = this;
    return (doc, score) => {
      document.doc = doc;
      if (readsScore) program.set(SCORE_POSITION, score);
      return program.run();
    };
  }

  /**
   * The script for many documents at a time; null where it cannot be run so.
   *
   * @param live documents over which it may fail; null: all
   */
  vectors(view: SegmentView, live: Uint8Array | null): ScriptVectors | null {
    const program = this.#program.vectors({
      params: this.#params(),
      column: (name) => vectorColumn(this.#ctx, view, name),
    });
    return program && new ScriptVectors(program, this.bind(view), live);
  }

  #params(): JavaMap {
    const params = paramsOf(this.script);
    for (const [name, value] of Object.entries(this.#added)) params.set(name, fromPlain(value));
    return params;
  }
}

/** 404: a request names a script that is not stored. */
export function storedScriptMissing({ id }: ScriptRequest): ShoalError {
  const reason = `unable to find script [${id}] in cluster state`;
  return new ShoalError('resource_not_found_exception', NOT_FOUND, reason);
}

/** The script as explanations show it. */
export function describeScript(script: ScriptRequest): string {
  const params = textOf(paramsOf(script));
  return `Script{type=inline, lang='${script.lang}', idOrCode='${script.source}', options={}, params=${params}}`;
}
