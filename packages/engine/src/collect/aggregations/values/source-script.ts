/**
 * Scripts of aggregations over documents: what they see, and how their results become values.
 */
import { assert } from '@shoal/core';
import {
  AGGREGATION_CONTEXT,
  castNumber,
  type DocumentFields,
  paramsOf,
  programOf,
  resultNumber,
  resultValues,
  type ScriptRequest,
  textOf,
} from '@shoal/script';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { storedScriptMissing } from '../../../match/scripts/document-script.ts';
import { scriptDocument } from '../../../match/scripts/runtime-values.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { DocScores } from '../collector/doc-scores.ts';
import { type DocumentValues, ScriptedValues, type ScriptTexts } from './scripted-values.ts';

/** Positions of `_score` and `_value` among the variables of the context. */
const SCORE_POSITION = 2;
const VALUE_POSITION = 3;

/** What a script sees of a document. */
export interface SeenDocument {
  /** The variable `doc`. */
  readonly fields: DocumentFields;
  /** The variable `_score`; 0 for a script that does not name it. */
  readonly score: number;
  see(doc: number): void;
}

/** Documents of a segment, as a script sees them one after the other. */
export function seenDocuments(ctx: AggregationContext, script: ScriptRequest): (view: SegmentView) => SeenDocument {
  const { documents } = ctx;
  // Scores cost as much as the query: they are made for scripts that name them alone.
  const isScored = /\b_score\b/.test(script.source ?? '');
  assert(!isScored || (documents !== undefined && documents !== null), `scores of [${script.source}] where none are`);
  return (view) => {
    const document = scriptDocument(ctx, view);
    const scores = isScored && documents ? new DocScores(documents.weight(), (ctx.nestedPath ?? '') !== '') : null;
    scores?.enter(view);
    return {
      fields: document.fields,
      get score() {
        return scores?.at(document.doc) ?? 0;
      },
      see(doc) {
        document.doc = doc;
      },
    };
  };
}

/** Runs a script for a document; `value`: what it finds as `_value`. */
type RunScript = (doc: number, value: unknown) => unknown;

/** @throws ShoalError where the script does not compile, or is not stored */
function boundScript(ctx: AggregationContext, script: ScriptRequest): (view: SegmentView) => RunScript {
  if (script.source === null) throw storedScriptMissing(script);
  const program = programOf(script, AGGREGATION_CONTEXT);
  const seen = seenDocuments(ctx, script);
  return (view) => {
    const document = seen(view);
    const bound = program.bind([paramsOf(script), document.fields, 0, null]);
    return (doc, value) => {
      document.see(doc);
      bound.set(SCORE_POSITION, document.score);
      bound.set(VALUE_POSITION, value);
      return bound.run();
    };
  };
}

/** How values become the keys of the source. */
export type ValueKind = 'text' | 'long' | 'double';

/** Values that a script makes of documents; `texts`: numbers those of kind `text`. */
export function documentScript(
  ctx: AggregationContext,
  script: ScriptRequest,
  kind: ValueKind,
  texts: ScriptTexts,
): ScriptedValues {
  const bind = boundScript(ctx, script);
  return new ScriptedValues(
    (view) => {
      const run = bind(view);
      return (doc) => resultValues(run(doc, null));
    },
    numberOf(kind, texts),
  );
}

/** Values that a script makes of each value of a field; `texts`: numbers those of texts, null for numbers. */
export function valueScript(
  ctx: AggregationContext,
  script: ScriptRequest,
  values: (view: SegmentView) => DocumentValues,
  texts: ScriptTexts | null,
): ScriptedValues {
  const bind = boundScript(ctx, script);
  return new ScriptedValues(
    (view) => {
      const run = bind(view);
      const of = values(view);
      return (doc) => of(doc).map((value) => run(doc, value));
    },
    texts === null ? castNumber : numberOf('text', texts),
  );
}

function numberOf(kind: ValueKind, texts: ScriptTexts): (value: unknown) => number {
  if (kind === 'text') return (value) => texts.of(textOf(value));
  return kind === 'long' ? (value) => Math.trunc(resultNumber(value)) + 0 : resultNumber;
}
