/**
 * `filter_path`: keeps (or, with `-`, drops) the parts of an answer whose path matches a pattern.
 *
 * `*` stands for any part of one name, `**` for any number of names. Lists are transparent: a pattern matches the objects
 * in them. Objects and lists that lose all their entries are left out; a part that a pattern matches is whole, also when it is
 * empty.
 */
import { illegalArgument, simpleMatch } from '@shoal/core';
import { answerTree, isTreeMap, openedTree } from './answer-tree.ts';

/** Names of a pattern; `**` among them stands for any number of names. */
type Pattern = readonly string[];

/** State of a pattern: its first `at` names have matched. */
interface Position {
  readonly pattern: Pattern;
  readonly at: number;
}

const PATTERNS_MAX = 256;
const STEPS_MAX = 64;
/** Result for a part that is left out, since null is a value. */
const DROPPED = undefined;

/** Access to values in one of their forms. */
interface View {
  /** Opens a value, so that its entries can be read. */
  readonly open: (value: unknown) => unknown;
  /** Converts a value to its form in the result. */
  readonly whole: (value: unknown) => unknown;
}

const TREE: View = { open: (value) => value, whole: (value) => value };
const ANSWER: View = { open: openedTree, whole: answerTree };

/** `tree` as made by `answerTree`, `filters` as given in the parameter. Exclusions are applied first. */
export function filterTree(tree: unknown, filters: readonly string[]): unknown {
  return filtered(tree, filters, TREE);
}

/** Filtered tree of an answer. Parts that are left out whole, such as thousands of buckets, are not read. */
export function filterAnswer(answer: unknown, filters: readonly string[]): unknown {
  return filtered(answer, filters, ANSWER);
}

function filtered(value: unknown, filters: readonly string[], view: View): unknown {
  if (filters.length > PATTERNS_MAX) {
    throw illegalArgument(`[filter_path] has [${filters.length}] patterns, at most [${PATTERNS_MAX}]`);
  }
  const excludes = filters.filter((filter) => filter.startsWith('-')).map((filter) => start(filter.slice(1)));
  const includes = filters.filter((filter) => !filter.startsWith('-')).map(start);
  const kept = excludes.length === 0 ? value : (exclude(value, excludes, view) ?? new Map());
  return includes.length === 0 ? view.whole(kept) : (include(kept, includes, view) ?? new Map());
}

function start(filter: string): Position {
  const names = filter.split(/(?<!\\)\./);
  if (names.length > STEPS_MAX) throw illegalArgument(`[filter_path] pattern has more than [${STEPS_MAX}] names`);
  return { pattern: names.map((name) => name.replaceAll('\\.', '.')), at: 0 };
}

const isWhole = ({ pattern, at }: Position): boolean => at === pattern.length;

/** States of the patterns below the entry `name`, each once: many `**` would multiply with every level. */
function advance(positions: readonly Position[], name: string): readonly Position[] {
  const next: Position[] = [];
  const seen = new Map<Pattern, Set<number>>();
  const reach = (pattern: Pattern, at: number): void => {
    const places = seen.get(pattern) ?? new Set();
    if (places.has(at)) return;
    seen.set(pattern, places.add(at));
    next.push({ pattern, at });
  };
  for (const { pattern, at } of positions) {
    let step = at;
    // `**` takes this name and stays, or takes none, and the step behind it is tried on this name.
    for (; pattern[step] === '**'; step++) {
      reach(pattern, step);
      if (step === pattern.length - 1) reach(pattern, step + 1);
    }
    const wanted = pattern[step];
    if (wanted !== undefined && simpleMatch(wanted, name)) reach(pattern, step + 1);
  }
  return next;
}

function include(value: unknown, patterns: readonly Position[], view: View): unknown {
  const tree = view.open(value);
  if (Array.isArray(tree)) {
    const items = tree.map((item) => include(item, patterns, view)).filter((item) => item !== DROPPED);
    return items.length === 0 ? DROPPED : items;
  }
  if (!isTreeMap(tree)) return DROPPED;
  const entries = new Map<string, unknown>();
  for (const [key, entry] of tree) {
    const next = advance(patterns, key);
    if (next.length === 0) continue;
    const kept = next.some(isWhole) ? view.whole(entry) : include(entry, next, view);
    if (kept !== DROPPED) entries.set(key, kept);
  }
  return entries.size === 0 ? DROPPED : entries;
}

function exclude(value: unknown, patterns: readonly Position[], view: View): unknown {
  if (patterns.length === 0) return value;
  const tree = view.open(value);
  if (Array.isArray(tree)) {
    const items = tree.map((item) => exclude(item, patterns, view)).filter((item) => item !== DROPPED);
    return tree.length > 0 && items.length === 0 ? DROPPED : items;
  }
  if (!isTreeMap(tree)) return tree;
  const entries = new Map<string, unknown>();
  for (const [key, entry] of tree) {
    const next = advance(patterns, key);
    if (next.some(isWhole)) continue;
    const kept = exclude(entry, next, view);
    if (kept !== DROPPED) entries.set(key, kept);
  }
  return tree.size > 0 && entries.size === 0 ? DROPPED : entries;
}
