/**
 * What the parts of the compiler share: the functions of the script, where its statements stand, and each other.
 */
import type { ExpressionNode } from '../syntax/painless-tree.ts';
import type { ScriptType } from '../types/script-type.ts';
import type { Code, Frame } from './code.ts';
import type { Scope } from './scope.ts';

/** A function that the script defines. */
export interface ScriptFunctionInfo {
  readonly name: string;
  readonly parameters: readonly ScriptType[];
  readonly returns: ScriptType;
  /** Set when its body is compiled, which is before the script runs. */
  run: (frame: Frame) => unknown;
  slotCount: number;
}

/** A function that the context gives: arguments as declared, raw or boxed. */
export interface ContextFunction {
  readonly parameters: readonly ScriptType[];
  /** So many of the last ones may be left out. Left out itself where none may. */
  readonly optionalCount?: number;
  readonly returns: ScriptType;
  /** Its arguments are texts that are known beforehand, and it runs once, when the script is compiled. */
  readonly takesConstants?: true;
  /** It is given the fields of the document, the variable `doc`, before its arguments. Left out where it needs none. */
  readonly readsDocument?: true;
  /** Its arguments are results of the script. Left out for functions that give a value themselves. */
  readonly emits?: true;
  // biome-ignore lint/suspicious/noExplicitAny: the declared types say what each parameter is
  readonly run: (...args: any[]) => unknown;
}

export interface Compiler {
  /** By name and number of parameters. */
  readonly functions: ReadonlyMap<string, ScriptFunctionInfo>;
  readonly contextFunctions: Readonly<Record<string, ContextFunction>>;
  readonly expression: (node: ExpressionNode, scope: Scope) => Code;
}
