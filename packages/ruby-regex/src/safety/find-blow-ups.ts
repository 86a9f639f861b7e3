/**
 * Finds parts of a pattern whose matching can take exponential time: a repetition inside a repetition where the same text
 * can be divided between the two in many ways, such as `(\w+\s?)*`.
 *
 * Static and careful: it may warn of a pattern that is fine, and patterns that it warns of run where they can be stopped.
 */

import { generate } from 'oniguruma-parser/generator';
import type { AlternativeElementNode, AlternativeNode, QuantifierNode } from 'oniguruma-parser/parser';
import { numberGroups } from '../translate/number-groups.ts';
import { parseRubyPattern, simplifiedPattern } from '../translate/pattern-tree.ts';
import { RecentResults } from '../translate/recent-results.ts';
import { type Alphabet, alphabetOf } from './alphabet.ts';
import { ANY_CHARACTER, type CharacterSet, characterSetOf, NO_CHARACTER, sizeOf } from './character-set.ts';
import { runDegree, runsOf } from './one-character-runs.ts';

export interface BlowUp {
  /** The repeated part, in Ruby's dialect. */
  readonly part: string;
  readonly reason: string;
}

export interface PatternRisk {
  readonly blowUps: readonly BlowUp[];
  /** A match in a text up to this length ends in time, whatever is in it; at least `BRIEF`. */
  readonly lengthMax: number;
}

/** A counted repetition above this behaves like an endless one. */
const MANY = 30;
/** A dot. A set that leaves out even one character, as `[^"]`, is nearly always followed by just that one. */
const WIDE = 129;
const WARNINGS_MAX = 10;
/** In a text of this length even 2^n steps are few. */
const BRIEF = 20;
/** Steps that a match may be guessed to take without being watched. A few seconds, at the very worst. */
const STEPS_MAX = 1e9;
/** Every so many characters one is taken to match what stands between two wide repetitions. */
const SEPARATOR_EVERY = 6;

/** Parts of a pattern, in Ruby's dialect, that can blow up; empty when there are none. */
export function findBlowUps(pattern: string): readonly BlowUp[] {
  return patternRisk(pattern).blowUps;
}

/** @throws when the pattern does not parse; callers have compiled it before */
export function patternRisk(pattern: string): PatternRisk {
  return RISKS.of(pattern);
}

const RISKS = new RecentResults(riskOf);

function riskOf(pattern: string): PatternRisk {
  // The rewriting takes away what is harmless in fact, such as `(x+)+`.
  const tree = simplifiedPattern(numberGroups(pattern).source);
  const blowUps: BlowUp[] = [];
  const alphabet = alphabetOf(tree.body);
  for (const part of tree.body) visit(part.body, blowUps, alphabet);
  const runs = tree.body.map((part) => runDegree(runsOf(part.body, alphabet), isAnchored(part.body)));
  const wide = Math.max(0, ...tree.body.map((part) => wideRepetitions(part.body)));
  const lengthMax = Math.min(safeLength(wide, SEPARATOR_EVERY), safeLength(Math.max(0, ...runs), 1));
  return { blowUps, lengthMax: blowUps.length > 0 ? BRIEF : lengthMax };
}

/** Texts up to this length match or fail in time, whatever is in them. */
function safeLength(degree: number, separatorEvery: number): number {
  if (degree <= 1) return Number.POSITIVE_INFINITY;
  let factorial = 1;
  for (let i = 2; i <= degree; i++) factorial *= i;
  return Math.floor(separatorEvery * (STEPS_MAX * factorial) ** (1 / degree));
}

function isAnchored([first]: readonly AlternativeElementNode[]): boolean {
  return first?.type === 'Assertion' && first.kind === 'string_start';
}

function visit(nodes: readonly AlternativeElementNode[], found: BlowUp[], alphabet: Alphabet): void {
  for (const node of nodes) {
    if (found.length >= WARNINGS_MAX) return;
    if (node.type === 'Quantifier') {
      const reason = isEndless(node) && node.kind !== 'possessive' ? ambiguity(node, alphabet) : null;
      if (reason !== null) found.push({ part: textOf(node), reason });
      visit([node.body], found, alphabet);
    } else if ('body' in node && node.type !== 'CharacterClass') {
      for (const branch of node.body) visit((branch as AlternativeNode).body, found, alphabet);
    }
  }
}

function isEndless(node: QuantifierNode): boolean {
  return node.max > MANY;
}

/** Why a text can be divided over the rounds of this loop in more than one way; null when it cannot. */
function ambiguity(loop: QuantifierNode, alphabet: Alphabet): string | null {
  const { body } = loop;
  if (body.type !== 'Group' && body.type !== 'CapturingGroup') return null;
  if (body.type === 'Group' && body.atomic === true) return null;
  const branches = body.body.map((branch) => branch.body);
  const loopFirst = branches.reduce((all, branch) => all | firstOf(branch).set, NO_CHARACTER);
  const rounds = runsOf([body], alphabet);
  if (rounds.flexible !== NO_CHARACTER || rounds.ambiguous !== NO_CHARACTER) {
    return 'one text can be divided over its rounds in many ways';
  }
  for (const branch of branches) {
    const inner = overlapInside(branch, loopFirst);
    if (inner !== null) return inner;
  }
  for (const [index, branch] of branches.entries()) {
    if (branch.length !== 1 || !isSingle(branch[0])) continue;
    const others = branches.slice(index + 1).filter((other) => other.length === 1 && isSingle(other[0]));
    if (others.some((other) => (firstOf(other).set & firstOf(branch).set) !== NO_CHARACTER)) {
      return 'two branches of the repeated group match the same character';
    }
  }
  return isTiled(branches) ? 'one branch of the repeated group matches what others match in several rounds' : null;
}

/** `ab|a|b`: each part of a branch is a branch of its own. */
function isTiled(branches: readonly (readonly AlternativeElementNode[])[]): boolean {
  const ones = branches.filter((branch) => branch.length === 1 && isSingle(branch[0]));
  const tiles = ones.reduce((all, branch) => all | firstOf(branch).set, NO_CHARACTER);
  return branches.some(
    (branch) =>
      branch.length > 1 && branch.every((part) => isSingle(part) && (firstOf([part]).set & tiles) !== NO_CHARACTER),
  );
}

function isSingle(node: AlternativeElementNode | undefined): boolean {
  return node?.type === 'Character' || node?.type === 'CharacterClass' || node?.type === 'CharacterSet';
}

/** An endless repetition in the branch behind which, through what may be empty, its own characters can come again. */
function overlapInside(branch: readonly AlternativeElementNode[], loopFirst: CharacterSet): string | null {
  for (const [index, node] of branch.entries()) {
    const repeated = endlessSetOf(node);
    if (repeated === NO_CHARACTER) continue;
    const rest = firstOf(branch.slice(index + 1));
    // What stands before must be passable too, or each round begins with something that marks it.
    const follow = rest.isEmptyPossible ? rest.set | loopFirst : NO_CHARACTER;
    if ((repeated & follow) !== NO_CHARACTER) return 'a repetition inside it can give characters to the next round';
  }
  return null;
}

/** Characters that the last part of a node repeats without end; empty when it does not. */
function endlessSetOf(node: AlternativeElementNode): CharacterSet {
  if (node.type === 'Quantifier') {
    if (node.kind === 'possessive') return NO_CHARACTER;
    return isEndless(node) ? allOf(node.body) : endlessSetOf(node.body);
  }
  if ((node.type === 'Group' && node.atomic !== true) || node.type === 'CapturingGroup') {
    return node.body.reduce((all, branch) => all | endlessTail(branch.body), NO_CHARACTER);
  }
  return NO_CHARACTER;
}

function endlessTail(nodes: readonly AlternativeElementNode[]): CharacterSet {
  let set = NO_CHARACTER;
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    if (node === undefined) break;
    set |= endlessSetOf(node);
    if (!firstOf([node]).isEmptyPossible) break;
  }
  return set;
}

function allOf(node: AlternativeElementNode): CharacterSet {
  if (node.type === 'Character' || node.type === 'CharacterClass') return characterSetOf(node);
  if (node.type === 'Quantifier') return allOf(node.body);
  if (node.type === 'Group' || node.type === 'CapturingGroup') {
    return node.body.reduce((all, branch) => branch.body.reduce((set, part) => set | allOf(part), all), NO_CHARACTER);
  }
  if (node.type === 'Assertion' || node.type === 'LookaroundAssertion') return NO_CHARACTER;
  return ANY_CHARACTER;
}

/** Characters with which a sequence can begin, and whether it can match nothing. */
function firstOf(nodes: readonly AlternativeElementNode[]): { set: CharacterSet; isEmptyPossible: boolean } {
  let set = NO_CHARACTER;
  for (const node of nodes) {
    const first = firstOfNode(node);
    set |= first.set;
    if (!first.isEmptyPossible) return { set, isEmptyPossible: false };
  }
  return { set, isEmptyPossible: true };
}

function firstOfNode(node: AlternativeElementNode): { set: CharacterSet; isEmptyPossible: boolean } {
  switch (node.type) {
    case 'Character':
    case 'CharacterClass':
      return { set: characterSetOf(node), isEmptyPossible: false };
    case 'CharacterSet':
      return { set: ANY_CHARACTER, isEmptyPossible: false };
    case 'Quantifier': {
      const inner = firstOfNode(node.body);
      return { set: inner.set, isEmptyPossible: inner.isEmptyPossible || node.min === 0 };
    }
    case 'Group':
    case 'CapturingGroup': {
      const firsts = node.body.map((branch) => firstOf(branch.body));
      return {
        set: firsts.reduce((all, first) => all | first.set, NO_CHARACTER),
        isEmptyPossible: firsts.some((first) => first.isEmptyPossible),
      };
    }
    case 'Assertion':
    case 'LookaroundAssertion':
    case 'Directive':
      return { set: NO_CHARACTER, isEmptyPossible: true };
    default:
      return { set: ANY_CHARACTER, isEmptyPossible: true };
  }
}

function wideRepetitions(nodes: readonly AlternativeElementNode[]): number {
  let count = 0;
  for (const node of nodes) {
    if (node.type === 'Quantifier') {
      const isWide = isEndless(node) && isSingle(node.body) && sizeOf(allOf(node.body)) >= WIDE;
      count += isWide ? 1 : wideRepetitions([node.body]) * Math.min(node.max, MANY);
    } else if (node.type === 'Group' || node.type === 'CapturingGroup') {
      count += Math.max(0, ...node.body.map((branch) => wideRepetitions(branch.body)));
    }
  }
  return count;
}

function textOf(node: QuantifierNode): string {
  const text = generate({
    type: 'Regex',
    body: [{ type: 'Alternative', body: [node] }],
    flags: parseRubyPattern('').flags,
  }).pattern;
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
