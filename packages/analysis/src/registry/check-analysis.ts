/**
 * Checks what the settings of an index declare under `index.analysis`, before they enter the cluster state.
 *
 * Every declared component is built once, whether a mapping names it or not: a declaration that cannot be built would
 * otherwise fail each document. As in Elasticsearch a declaration may have options that its component does not read: programs
 * keep such of older versions, and of other components, for years. Indices whose settings are in the cluster state already
 * are not checked: they stay readable.
 */
import { type ConfigFiles, illegalArgument } from '@shoal/core';
import { checkStopWordLists } from '../token-filters/selection/stop.ts';
import type { ComponentOptions } from '../tokens/component-options.ts';
import { createCharFilter, createTokenFilter, createTokenizer, typeNamed } from './analysis-components.ts';
import { createAnalyzers } from './analyzer-registry.ts';
import { builtInAnalyzer } from './analyzer-types.ts';
import { CHAR_FILTER_TYPES } from './char-filter-types.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';
import { TOKENIZER_TYPES } from './tokenizer-types.ts';
import { refuseUpdateable } from './updateable-filters.ts';

const PREFIX = 'index.analysis.';

/** One declared component: its group and name, and its options without their prefix. */
interface Declaration {
  readonly group: string;
  readonly name: string;
  readonly options: Record<string, string>;
}

/**
 * @param files that the settings name: each is read
 * @throws ShoalError illegal_argument_exception with the texts of Elasticsearch
 */
export function checkAnalysis(settings: ComponentOptions, files: ConfigFiles): void {
  const registry = createAnalyzers(settings, files);
  for (const declared of declarations(settings)) {
    const { group, name, options } = declared;
    switch (group) {
      case 'tokenizer':
        checkLists(declared, typeNamed(TOKENIZER_TYPES, requiredType(declared)));
        createTokenizer(name, options, registry.context(null));
        break;
      case 'filter':
        checkLists(declared, typeNamed(TOKEN_FILTER_TYPES, requiredType(declared)));
        createTokenFilter(name, options, registry.context(null));
        break;
      case 'char_filter':
        checkLists(declared, typeNamed(CHAR_FILTER_TYPES, requiredType(declared)));
        createCharFilter(name, options, files);
        break;
      case 'normalizer':
        registry.normalizer(name);
        break;
      case 'analyzer':
        checkAnalyzer(declared);
        registry.get(name);
        // It cuts the documents of every field that names no other.
        if (name === 'default') refuseUpdateable(settings, name, 'all');
        break;
      default:
        throw illegalArgument(`unknown setting [${PREFIX}${group}.${name}]`);
    }
  }
}

/** What requests may declare in `_analyze`, by the names of its members. */
export type InlineGroup = 'char_filter' | 'tokenizer' | 'filter';

const INLINE_TYPES: Readonly<Record<InlineGroup, readonly KnownType[]>> = {
  char_filter: CHAR_FILTER_TYPES,
  tokenizer: TOKENIZER_TYPES,
  filter: TOKEN_FILTER_TYPES,
};

/**
 * Checks the type and options of a component that a request declares.
 *
 * @returns its type
 * @throws ShoalError illegal_argument_exception
 */
export function checkInlineComponent(group: InlineGroup, options: ComponentOptions): string {
  const { type } = options;
  if (type === undefined) {
    throw illegalArgument(`Missing [type] setting for anonymous ${group}: ${JSON.stringify(options)}`);
  }
  const known = typeNamed(INLINE_TYPES[group], type);
  if (options.synonyms_set !== undefined) throw illegalArgument('[synonyms_set] is for token filters of an index');
  if (known === null) throw illegalArgument(`failed to find global ${group} under [${type}]`);
  checkLists({ group, name: inlineName(type), options }, known);
  return type;
}

/** Name of a component without one, as `_analyze` shows it. */
export function inlineName(type: string): string {
  return `__anonymous__${type}`;
}

function declarations(settings: ComponentOptions): readonly Declaration[] {
  const found = new Map<string, Declaration>();
  for (const [key, value] of Object.entries(settings)) {
    if (!key.startsWith(PREFIX)) continue;
    const [group = '', name = '', ...rest] = key.slice(PREFIX.length).split('.');
    if (name === '' || rest.length === 0) {
      throw illegalArgument(
        `Failed to get setting group for [${PREFIX}${group}.] setting prefix and setting [${key}] because of a missing '.'`,
      );
    }
    const id = `${group}.${name}`;
    const declared = found.get(id) ?? { group, name, options: {} };
    declared.options[rest.join('.')] = value;
    found.set(id, declared);
  }
  return [...found.values()];
}

function requiredType({ group, name, options }: Declaration): string {
  if (options.type !== undefined) return options.type;
  throw illegalArgument(`${group} [${name}] must specify either an analyzer type, or a tokenizer`);
}

interface KnownType {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly options: readonly string[];
}

function checkAnalyzer(declared: Declaration): void {
  const { name, options } = declared;
  if (name.startsWith('_')) throw illegalArgument(`analyzer name must not start with '_'. got "${name}"`);
  checkLists(declared, options.type === undefined ? null : builtInAnalyzer(options.type));
}

/** Refuses synonyms beside those of a set: they would not be read. */
function checkSynonymSource({ name, options }: Declaration): void {
  const other = Object.keys(options).find((option) => /^synonyms(_path|\.\d+)?$/.test(option));
  if (other !== undefined) throw illegalArgument(`filter [${name}] cannot have [${other}] beside [synonyms_set]`);
}

/** Checks what a component of that type reads of lists that have a name; an unknown type is refused where it is built. */
function checkLists(declared: Declaration, known: Pick<KnownType, 'options'> | null): void {
  const { options } = declared;
  if (known?.options.includes('stopwords')) checkStopWordLists(options);
  if (known?.options.includes('synonyms_set') && options.synonyms_set !== undefined) checkSynonymSource(declared);
}
