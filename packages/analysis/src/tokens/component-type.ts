/**
 * Kinds of analysis components: what the registries list, one line each.
 */
import type { Analyzer } from './analyzer.ts';
import type { ComponentOptions } from './component-options.ts';
import type { TokenFilter, Tokenizer } from './token-stage.ts';

/** A token filter that settings and requests name by `type`. */
export interface TokenFilterType {
  /** Name in `type`; the filter may also be used by this name without a declaration. */
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration with any other is refused. */
  readonly options: readonly string[];
  /** @throws ShoalError illegal_argument_exception for options that do not fit */
  readonly create: (options: ComponentOptions) => TokenFilter;
}

export interface TokenizerType {
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration with any other is refused. */
  readonly options: readonly string[];
  readonly create: (options: ComponentOptions) => Tokenizer;
}

/** A built-in analyzer; an index may declare one of the same type with options and another name. */
export interface AnalyzerType {
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration with any other is refused. */
  readonly options: readonly string[];
  readonly create: (name: string, options: ComponentOptions) => Analyzer;
}
