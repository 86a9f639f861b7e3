/**
 * Rules of the token filters `synonym` and `synonym_graph`: which runs of terms have which others in their place or beside them.
 *
 * The texts of rules go through what stands before the filter in its chain, so that they are cut as documents are.
 */
import { illegalArgument, isShoalError, type ShoalError } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';
import type { ComponentContext, PrecedingStages } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
import { applyFilters, collectTokens } from '../../tokens/token-stream.ts';

/** Names of the options that both filters have. */
export const SYNONYM_OPTIONS: readonly string[] = [
  ...['synonyms', 'synonyms_set', 'expand', 'lenient', 'format', 'updateable'],
];

/** One node of a trie over terms. */
export interface SynonymNode {
  readonly next: Map<string, SynonymNode>;
  /** Runs of terms that stand for the one that ends here; null where none ends. */
  outputs: (readonly string[])[] | null;
  /** The run itself stays, beside the outputs. */
  keepsOriginal: boolean;
}

/** Terms that one rule may have: each is a synonym of each. */
const RULE_TERMS_MAX = 1_000;

/** Pairs of runs of one filter. */
const PAIRS_MAX = 1_000_000;

/**
 * @returns the root of the trie
 * @throws ShoalError illegal_argument_exception for rules that cannot be read, unless they are lenient
 */
export function readSynonyms(options: ComponentOptions, { preceding }: ComponentContext): SynonymNode {
  const lines = linesOf(options);
  const expands = readFlag(options, 'expand', true);
  // A set may be changed to what does not fit the analyzers that use it, and they go on.
  const isLenient = readFlag(options, 'lenient', options.synonyms_set !== undefined);
  const isWordnet = options.format === 'wordnet';
  if (lines === null) {
    throw illegalArgument('synonym requires either `synonyms` or `synonyms_path` to be configured');
  }
  const builder = new SynonymBuilder(ruleAnalyzer(preceding), isLenient);
  const rules = isWordnet ? wordnetRules(lines) : lines.flatMap(solrRule);
  for (const rule of rules) builder.add(rule, expands);
  return builder.root;
}

/** Lines of the rules; null where the options have none. Those of a set are put beside its name by who makes the analyzers. */
function linesOf(options: ComponentOptions): readonly string[] | null {
  // Where it may stand is told from the settings.
  const isUpdateable = readFlag(options, 'updateable', false);
  const lines = readList(options, 'synonyms');
  if (options.synonyms_set === undefined) return lines;
  if (isUpdateable) return lines ?? [];
  throw illegalArgument(
    `Can't apply [synonyms_set]! Loading synonyms from index is supported only for search time synonyms!`,
  );
}

/**
 * Checks one rule of Solr's format by itself, without the words that it is cut into.
 *
 * @throws ShoalError illegal_argument_exception
 */
export function checkSynonymRule(rule: string): void {
  const sides = splitUnescaped(rule, '=>');
  if (sides.length > 2) {
    throw illegalArgument(`More than one explicit mapping specified in the same synonyms rule: [${rule}]`);
  }
  const isWhole =
    sides.length > 0 && sides.every((side) => splitUnescaped(side, ',').every((text) => text.trim() !== ''));
  const isBroken = /(^|[^\\])=>\s*$|^\s*=>/.test(rule);
  if (!isWhole || isBroken) throw illegalArgument(`Incorrect syntax for [${rule}]`);
}

/** Runs of words by their texts. */
interface SynonymRule {
  readonly inputs: readonly string[];
  /** null where the inputs stand for each other. */
  readonly outputs: readonly string[] | null;
}

/** `a, b => c` or `a, b, c`; a backslash takes its meaning from a comma or arrow. */
function solrRule(line: string): readonly SynonymRule[] {
  if (line === '' || line.startsWith('#')) return [];
  const sides = splitUnescaped(line, '=>');
  if (sides.length > 2) throw failed(`more than one explicit mapping specified on the same line [${line}]`);
  const [left = '', right] = sides.map((side) => splitUnescaped(side, ',').map((text) => unescaped(text).trim()));
  if (left === '') return [];
  return [{ inputs: left, outputs: right ?? null }];
}

function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      from = at + separator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

/** Lines `s(100000001,1,'word',v,1,0).`: words of one number stand for each other. */
function wordnetRules(lines: readonly string[]): readonly SynonymRule[] {
  const sets = new Map<string, string[]>();
  for (const line of lines) {
    const [, id, word] = /^s\((\d{9}),\d+,'((?:[^']|'')*)'/.exec(line) ?? [];
    if (id === undefined || word === undefined) throw failed(`no line of WordNet [${line}]`);
    const words = sets.get(id);
    if (words === undefined) sets.set(id, [word.replaceAll("''", "'")]);
    else words.push(word.replaceAll("''", "'"));
  }
  return [...sets.values()].map((inputs) => ({ inputs, outputs: null }));
}

class SynonymBuilder {
  readonly root: SynonymNode = newNode();
  private readonly analyze: (text: string) => readonly string[];
  private readonly isLenient: boolean;
  private pairs = 0;

  constructor(analyze: (text: string) => readonly string[], isLenient: boolean) {
    this.analyze = analyze;
    this.isLenient = isLenient;
  }

  add({ inputs, outputs }: SynonymRule, expands: boolean): void {
    if (inputs.length + (outputs?.length ?? 0) > RULE_TERMS_MAX) {
      throw failed(`a rule has more than ${RULE_TERMS_MAX} terms`);
    }
    const left = inputs.map((text) => this.termsOf(text));
    const right = outputs?.map((text) => this.termsOf(text)) ?? null;
    for (const [i, input] of left.entries()) {
      if (right !== null) for (const output of right) this.addPair(input, output, false);
      else if (!expands) this.addPair(input, left[0] ?? [], false);
      else for (const [j, output] of left.entries()) if (i !== j) this.addPair(input, output, true);
    }
  }

  /** Terms of one side; none where leniency forgives that there are none. */
  private termsOf(text: string): readonly string[] {
    try {
      return this.analyze(text);
    } catch (error) {
      if (this.isLenient && isShoalError(error)) return [];
      throw error;
    }
  }

  private addPair(input: readonly string[], output: readonly string[], keepsOriginal: boolean): void {
    if (input.length === 0 || output.length === 0) return;
    if (++this.pairs > PAIRS_MAX) throw failed(`there are more than ${PAIRS_MAX} pairs of synonyms`);
    let node = this.root;
    for (const term of input) {
      let next = node.next.get(term);
      if (next === undefined) {
        next = newNode();
        node.next.set(term, next);
      }
      node = next;
    }
    node.outputs ??= [];
    const isKnown = node.outputs.some(
      (known) => known.length === output.length && known.every((term, i) => term === output[i]),
    );
    if (!isKnown) node.outputs.push(output);
    node.keepsOriginal ||= keepsOriginal;
  }
}

function newNode(): SynonymNode {
  return { next: new Map(), outputs: null, keepsOriginal: false };
}

/** How the texts of rules are cut: by what stands before the filter, other synonyms left out. */
function ruleAnalyzer(preceding: PrecedingStages | null): (text: string) => readonly string[] {
  if (preceding === null) return (text) => text.split(/\s+/).filter((term) => term !== '');
  const filters: TokenFilter[] = [];
  for (const filter of preceding.filters) {
    if (filter.inSynonymRules === 'refused') {
      throw illegalArgument(`Token filter [${filter.name}] cannot be used to parse synonyms`);
    }
    if (filter.inSynonymRules !== 'skipped') filters.push(filter);
  }
  return (text) => {
    const filtered = preceding.charFilters.reduce((value, filter) => filter.apply(value).text, text);
    const tokens = collectTokens((next) => preceding.tokenizer.tokenize(filtered, next));
    const terms: string[] = [];
    for (const { term, increment } of applyFilters(filters, tokens, { offset: filtered.length, increment: 0 })) {
      if (increment !== 1) throw failed(`term: ${text} analyzed to a token (${term}) with position increment != 1`);
      terms.push(term);
    }
    if (terms.length === 0) throw failed(`term: ${text} was completely eliminated by analyzer`);
    return terms;
  };
}

function failed(reason: string): ShoalError {
  return illegalArgument('Failed to build synonyms', { causedBy: illegalArgument(reason) });
}

/** The longest run of terms from `at` on that has synonyms. */
export interface SynonymMatch {
  /** Tokens of the run. */
  readonly length: number;
  readonly outputs: readonly (readonly string[])[];
  readonly keepsOriginal: boolean;
}

/** @param term of the token at an index; undefined behind the last */
export function longestMatch(
  root: SynonymNode,
  term: (index: number) => string | undefined,
  at: number,
): SynonymMatch | null {
  let found: SynonymMatch | null = null;
  let node = root;
  for (let i = at; ; i++) {
    const next = node.next.get(term(i) ?? '');
    if (next === undefined || term(i) === undefined) return found;
    node = next;
    const { outputs, keepsOriginal } = node;
    if (outputs !== null) found = { length: i - at + 1, outputs, keepsOriginal };
  }
}
