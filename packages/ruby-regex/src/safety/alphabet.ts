/**
 * The letters of a pattern: characters that no part of it tells apart are one letter. What must be done for each character can
 * then be done for each letter, of which a pattern has a dozen or two.
 */
import type { AlternativeElementNode, AlternativeNode } from 'oniguruma-parser/parser';
import { ANY_CHARACTER, type CharacterSet, characterSetOf, NO_CHARACTER } from './character-set.ts';

export interface Alphabet {
  /** Number of letters; at least 1. */
  readonly size: number;
  /** 1 for each letter that the set holds, 0 for the others. @param set one made of sets of the pattern */
  readonly lettersOf: (set: CharacterSet) => Uint8Array;
}

export function alphabetOf(branches: readonly AlternativeNode[]): Alphabet {
  const sets = new Set<CharacterSet>();
  for (const branch of branches) collect(branch.body, sets);
  const letters = split(sets);
  const known = new Map<CharacterSet, Uint8Array>();
  return {
    size: letters.length,
    lettersOf: (set) => {
      let bits = known.get(set);
      if (bits === undefined) {
        bits = Uint8Array.from(letters, (letter) => ((letter & set) === NO_CHARACTER ? 0 : 1));
        known.set(set, bits);
      }
      return bits;
    },
  };
}

/** Sets of all parts that match one character. */
function collect(nodes: readonly AlternativeElementNode[], sets: Set<CharacterSet>): void {
  for (const node of nodes) {
    switch (node.type) {
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        sets.add(characterSetOf(node));
        break;
      case 'Quantifier':
        collect([node.body], sets);
        break;
      default:
        if ('body' in node) for (const branch of node.body) collect((branch as AlternativeNode).body, sets);
    }
  }
}

/** Disjoint sets that together hold every character, of which each given one is made. */
function split(sets: ReadonlySet<CharacterSet>): readonly CharacterSet[] {
  let letters: CharacterSet[] = [ANY_CHARACTER];
  for (const set of sets) {
    letters = letters.flatMap((letter) => {
      const inside = letter & set;
      return inside === NO_CHARACTER || inside === letter ? [letter] : [inside, letter & ~set];
    });
  }
  return letters;
}
