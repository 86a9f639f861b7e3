/**
 * `filter_path`: keeps (or, with `-`, drops) the parts of an answer whose path matches a pattern.
 *
 * `*` stands for any part of one name, `**` for any number of names. Lists are transparent: a pattern speaks of the objects
 * in them. Objects and lists that lose all they had by not being asked for are left out; a part that is asked for is
 * whole, also when it is empty.
 */
import { illegalArgument } from '@shoal/core';
import { isTreeMap } from './answer-tree.ts';

/** One name of a pattern; null is `**`. */
type Step = RegExp | null;
type Pattern = readonly Step[];

const PATTERNS_MAX = 256;
const STEPS_MAX = 64;
/** What recursion answers for a part that is left out; null is a value. */
const DROPPED = undefined;

/** `tree` as made by `answerTree`, `filters` as given in the parameter. Exclusions are applied first. */
export function filterTree(tree: unknown, filters: readonly string[]): unknown {
  if (filters.length > PATTERNS_MAX) {
    throw illegalArgument(`[filter_path] has [${filters.length}] patterns, at most [${PATTERNS_MAX}]`);
  }
  const excludes = filters.filter((filter) => filter.startsWith('-')).map((filter) => compile(filter.slice(1)));
  const includes = filters.filter((filter) => !filter.startsWith('-')).map(compile);
  const kept = excludes.length === 0 ? tree : (exclude(tree, excludes) ?? new Map());
  return includes.length === 0 ? kept : (include(kept, includes) ?? new Map());
}

function compile(filter: string): Pattern {
  const names = filter.split(/(?<!\\)\./);
  if (names.length > STEPS_MAX) throw illegalArgument(`[filter_path] pattern has more than [${STEPS_MAX}] names`);
  return names.map((name) => {
    if (name === '**') return null;
    const parts = name.replaceAll('\\.', '.').split(/\*+/);
    return new RegExp(`^${parts.map(escapeLiteral).join('.*')}$`, 's');
  });
}

function escapeLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What is left of the patterns below the entry `name`. An empty pattern has matched whole. */
function advance(patterns: readonly Pattern[], name: string): readonly Pattern[] {
  const next: Pattern[] = [];
  for (const pattern of patterns) {
    const [step, ...rest] = pattern;
    if (step === undefined) continue;
    if (step !== null) {
      if (step.test(name)) next.push(rest);
      continue;
    }
    // `**` takes this name and stays, or takes none, and the step behind it is tried on this name.
    next.push(pattern);
    if (rest.length === 0) next.push([]);
    else next.push(...advance([rest], name));
  }
  return next;
}

function include(tree: unknown, patterns: readonly Pattern[]): unknown {
  if (Array.isArray(tree)) {
    const items = tree.map((item) => include(item, patterns)).filter((item) => item !== DROPPED);
    return items.length === 0 ? DROPPED : items;
  }
  if (!isTreeMap(tree)) return DROPPED;
  const entries = new Map<string, unknown>();
  for (const [key, value] of tree) {
    const next = advance(patterns, key);
    const kept = next.some((pattern) => pattern.length === 0) ? value : include(value, next);
    if (kept !== DROPPED) entries.set(key, kept);
  }
  return entries.size === 0 ? DROPPED : entries;
}

function exclude(tree: unknown, patterns: readonly Pattern[]): unknown {
  if (Array.isArray(tree)) {
    const items = tree.map((item) => exclude(item, patterns)).filter((item) => item !== DROPPED);
    return tree.length > 0 && items.length === 0 ? DROPPED : items;
  }
  if (!isTreeMap(tree)) return tree;
  const entries = new Map<string, unknown>();
  for (const [key, value] of tree) {
    const next = advance(patterns, key);
    if (next.some((pattern) => pattern.length === 0)) continue;
    const kept = exclude(value, next);
    if (kept !== DROPPED) entries.set(key, kept);
  }
  return tree.size > 0 && entries.size === 0 ? DROPPED : entries;
}
