/**
 * The class of tokens that scripts of analysis look at.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { ScriptObject } from '../values/script-object.ts';

export const SCRIPT_TOKEN_CLASS = 'org.elasticsearch.analysis.common.AnalysisPredicateScript$Token';

/** A token of a text, as a script sees it. */
export interface ScriptTokenValues {
  readonly term: string;
  /** Positions before it. */
  readonly position: number;
  readonly positionIncrement: number;
  readonly positionLength: number;
  readonly startOffset: number;
  readonly endOffset: number;
  readonly type: string;
  readonly isKeyword: boolean;
}

export class ScriptToken extends ScriptObject {
  readonly javaClass: string = SCRIPT_TOKEN_CLASS;
  readonly values: ScriptTokenValues;

  constructor(values: ScriptTokenValues) {
    super();
    this.values = values;
  }

  text(): string {
    return `${SCRIPT_TOKEN_CLASS}[${this.values.term}]`;
  }
}

export const ANALYSIS_CLASSES: readonly ScriptClass[] = [
  scriptClass(SCRIPT_TOKEN_CLASS, ['java.lang.Object'], {
    'CharSequence getTerm()': (_m, self: ScriptToken) => self.values.term,
    'int getPosition()': (_m, self: ScriptToken) => self.values.position,
    'int getPositionIncrement()': (_m, self: ScriptToken) => self.values.positionIncrement,
    'int getPositionLength()': (_m, self: ScriptToken) => self.values.positionLength,
    'int getStartOffset()': (_m, self: ScriptToken) => self.values.startOffset,
    'int getEndOffset()': (_m, self: ScriptToken) => self.values.endOffset,
    'String getType()': (_m, self: ScriptToken) => self.values.type,
    'boolean isKeyword()': (_m, self: ScriptToken) => self.values.isKeyword,
  }),
];
