/**
 * Kinds of analysis components: what the registries list, one line each.
 */
import type { ConfigFiles } from '@shoal/core';
import type { Analyzer } from './analyzer.ts';
import type { ComponentOptions } from './component-options.ts';
import type { CharFilter, TokenFilter, Tokenizer } from './token-stage.ts';

/** What a component may need to know beside its own options. */
export interface ComponentContext {
  /** Settings of the index, flat: some components have limits there. */
  readonly settings: ComponentOptions;
  /** Files that options name. */
  readonly files: ConfigFiles;
  /** A token filter of the index by name; null when there is none. */
  tokenFilter(name: string): TokenFilter | null;
  /** What stands before a token filter in the chain that it is made for; null outside of a chain. */
  readonly preceding: PrecedingStages | null;
}

export interface PrecedingStages {
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
}

/** A char filter that settings and requests name by `type`. */
export interface CharFilterType {
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration may have others, which say nothing. */
  readonly options: readonly string[];
  /** Only a declaration with options makes one: there is none of this name as it is. */
  readonly needsOptions?: boolean;
  readonly create: (options: ComponentOptions, name: string) => CharFilter;
}

/** A token filter that settings and requests name by `type`. */
export interface TokenFilterType {
  /** Name in `type`; the filter may also be used by this name without a declaration. */
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration may have others, which say nothing. */
  readonly options: readonly string[];
  /** Further names of the type, of older versions. */
  readonly aliases?: readonly string[];
  /** Only a declaration with options makes one: there is none of this name as it is. */
  readonly needsOptions?: boolean;
  /** Options of the filter that stands under this name without a declaration, where they are not those of a declaration without any. */
  readonly undeclared?: ComponentOptions;
  /** @throws ShoalError illegal_argument_exception for options that do not fit */
  readonly create: (options: ComponentOptions, context: ComponentContext, name: string) => TokenFilter;
}

export interface TokenizerType {
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration may have others, which say nothing. */
  readonly options: readonly string[];
  /** Further names of the type, of older versions. */
  readonly aliases?: readonly string[];
  /** Only a declaration with options makes one: there is none of this name as it is. */
  readonly needsOptions?: boolean;
  readonly create: (options: ComponentOptions, context: ComponentContext) => Tokenizer;
}

/** A built-in analyzer; an index may declare one of the same type with options and another name. */
export interface AnalyzerType {
  readonly type: string;
  /** Options that `create` reads, beside `type`. A declaration may have others, which say nothing. */
  readonly options: readonly string[];
  readonly create: (name: string, options: ComponentOptions) => Analyzer;
}
