/**
 * Declaration of `completion`: inputs that are suggested by how they begin, each with a weight, and in contexts where declared.
 */
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { flag, integer, META, type ParameterRule, text } from '../contract/parameter-rule.ts';
import { normaliseContexts, readContexts } from './context-mapping.ts';

const CONTEXTS: ParameterRule = { kind: 'parsed', otherwise: null, change: 'never', parse: normaliseContexts };
const INPUT_LENGTH_DEFAULT = 50;

export const COMPLETION: DeclaredType = {
  // An object is one input with its weight, or several; a list is one of inputs and of objects.
  isWhole: (value) => !Array.isArray(value),
  parameters: new Map([
    ['analyzer', text('simple')],
    ['search_analyzer', text(null, 'always')],
    ['preserve_separators', flag(true)],
    ['preserve_position_increments', flag(true)],
    ['max_input_length', integer(INPUT_LENGTH_DEFAULT, { min: 1, change: 'always' })],
    ['contexts', CONTEXTS],
    ['meta', META],
  ]),
  check: () => {},
  settings: (value) => {
    const analyzer = String(value('analyzer'));
    return {
      ...NO_SETTINGS,
      analyzer,
      searchAnalyzer: String(value('search_analyzer') ?? analyzer),
      completion: {
        preservesSeparators: value('preserve_separators') === true,
        preservesPositionIncrements: value('preserve_position_increments') === true,
        maxInputLength: Number(value('max_input_length')),
        contexts: readContexts(value('contexts')),
      },
    };
  },
  storedValue: (value) => (typeof value === 'object' ? value : String(value)),
};
