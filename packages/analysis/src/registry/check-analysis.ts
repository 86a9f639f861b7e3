/**
 * Checks what the settings of an index declare under `index.analysis`, before they enter the cluster state.
 *
 * Every declared component is built once, whether a mapping names it or not: a declaration that cannot be built would
 * otherwise fail each document. An option that its component does not read is refused, for the text would be cut other
 * than its user asked. Indices whose settings are in the cluster state already are not checked: they stay readable.
 */
import { illegalArgument } from '@shoal/core';
import { checkStopWordLists } from '../token-filters/stop.ts';
import type { ComponentOptions } from '../tokens/component-options.ts';
import { createTokenFilter, createTokenizer } from './analysis-components.ts';
import { CUSTOM_ANALYZER_OPTIONS, createAnalyzers } from './analyzer-registry.ts';
import { builtInAnalyzer } from './analyzer-types.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';
import { TOKENIZER_TYPES } from './tokenizer-types.ts';

const PREFIX = 'index.analysis.';

/** One declared component: its group and name, and its options without their prefix. */
interface Declaration {
  readonly group: string;
  readonly name: string;
  readonly options: Record<string, string>;
}

/** @throws ShoalError illegal_argument_exception with the texts of Elasticsearch */
export function checkAnalysis(settings: ComponentOptions): void {
  const registry = createAnalyzers(settings);
  for (const declared of declarations(settings)) {
    const { group, name, options } = declared;
    switch (group) {
      case 'tokenizer':
        checkOptions(declared, optionsOf(TOKENIZER_TYPES, requiredType(declared)));
        createTokenizer(name, options);
        break;
      case 'filter':
        checkOptions(declared, optionsOf(TOKEN_FILTER_TYPES, requiredType(declared)));
        createTokenFilter(name, options);
        break;
      case 'analyzer':
        checkAnalyzer(declared);
        registry.get(name);
        break;
      case 'char_filter':
      case 'normalizer':
        throw illegalArgument(`Unknown ${group} type [${options.type ?? 'custom'}] for [${name}]`);
      default:
        throw illegalArgument(`unknown setting [${PREFIX}${group}.${name}]`);
    }
  }
}

/**
 * Checks the options of a token filter that a request declares.
 *
 * @throws ShoalError illegal_argument_exception
 */
export function checkTokenFilter(name: string, options: ComponentOptions): void {
  const declared: Declaration = { group: 'filter', name, options };
  checkOptions(declared, optionsOf(TOKEN_FILTER_TYPES, requiredType(declared)));
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

/** Options of a type; null when there is no such type. */
function optionsOf(
  types: readonly { readonly type: string; readonly options: readonly string[] }[],
  type: string,
): readonly string[] | null {
  return types.find((known) => known.type === type)?.options ?? null;
}

function checkAnalyzer(declared: Declaration): void {
  const { name, options } = declared;
  if (name.startsWith('_')) throw illegalArgument(`analyzer name must not start with '_'. got "${name}"`);
  const type = options.type ?? 'custom';
  checkOptions(declared, type === 'custom' ? CUSTOM_ANALYZER_OPTIONS : (builtInAnalyzer(type)?.options ?? null));
}

/** Refuses options that are not in `known`; an unknown type, whose options are null, is refused where it is built. */
function checkOptions({ group, name, options }: Declaration, known: readonly string[] | null): void {
  if (known === null) return;
  for (const option of Object.keys(options)) {
    const base = option.replace(/\.\d+$/, '');
    if (base === 'type' || known.includes(base)) continue;
    throw illegalArgument(
      `unknown setting [${PREFIX}${group}.${name}.${option}]: no option of ${group} type [${options.type ?? 'custom'}]`,
    );
  }
  if (known.includes('stopwords')) checkStopWordLists(options);
}
