/**
 * Sets of characters as bits: 128 for ASCII and one for everything else. Enough to ask whether two parts of a pattern can want
 * the same character.
 */
import type { CharacterClassElementNode, CharacterClassNode } from 'oniguruma-parser/parser';

export type CharacterSet = bigint;

export const NO_CHARACTER: CharacterSet = 0n;
const OTHERS = 128;
export const ANY_CHARACTER: CharacterSet = (1n << 129n) - 1n;

/** The characters that one element of a pattern, one character long, can match. Unknown sets count as any. */
export function characterSetOf(node: CharacterClassElementNode): CharacterSet {
  switch (node.type) {
    case 'Character':
      return bit(node.value);
    case 'CharacterClassRange':
      return rangeBits(node.min.value, node.max.value);
    case 'CharacterClass':
      return classBits(node);
    case 'CharacterSet':
      return node.kind === 'posix' && !node.negate ? posixBits(node.value) : ANY_CHARACTER;
    default:
      return ANY_CHARACTER;
  }
}

/** The classes in common use; each may hold more beyond ASCII. */
function posixBits(name: string): CharacterSet {
  const others = bit(OTHERS);
  const digits = rangeBits(0x30, 0x39);
  const upper = rangeBits(0x41, 0x5a);
  const lower = rangeBits(0x61, 0x7a);
  switch (name) {
    case 'alnum':
      return digits | upper | lower | others;
    case 'alpha':
      return upper | lower | others;
    case 'digit':
      return digits | others;
    case 'upper':
      return upper | others;
    case 'lower':
      return lower | others;
    case 'space':
      return rangeBits(9, 13) | bit(0x20) | others;
    default:
      return ANY_CHARACTER;
  }
}

/** How many of the 129 it holds. */
export function sizeOf(set: CharacterSet): number {
  let count = 0;
  for (let rest = set; rest !== 0n; rest &= rest - 1n) count++;
  return count;
}

function classBits(node: CharacterClassNode): CharacterSet {
  const parts = node.body.map(characterSetOf);
  const joined =
    node.kind === 'intersection'
      ? parts.reduce((all, part) => all & part, ANY_CHARACTER)
      : parts.reduce((all, part) => all | part, NO_CHARACTER);
  // A class may name only some of the characters beyond ASCII, so its negation holds others of them.
  return node.negate ? (ANY_CHARACTER & ~joined) | (1n << BigInt(OTHERS)) : joined;
}

function bit(code: number): CharacterSet {
  return 1n << BigInt(Math.min(code, OTHERS));
}

function rangeBits(low: number, high: number): CharacterSet {
  const first = Math.min(low, OTHERS);
  const count = Math.min(high, OTHERS) - first + 1;
  return ((1n << BigInt(count)) - 1n) << BigInt(first);
}
