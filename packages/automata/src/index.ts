export { AutomatonEffort } from './automaton-effort.ts';
export { byteEditNfa, type EditWord } from './edit-automaton.ts';
export { DEAD, LazyDfa } from './lazy-dfa.ts';
export { ALL_REGEXP_OPERATORS, type RegexpOperators } from './regexp-syntax.ts';
export {
  editAutomaton,
  prefixAutomaton,
  REGEXP_STATES_DEFAULT,
  regexpAutomaton,
  wildcardAutomaton,
} from './term-automata.ts';
