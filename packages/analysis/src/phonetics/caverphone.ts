/**
 * Caverphone 1 and 2 (Hood, 2002 and 2004): replacements in order, made for names of New Zealand.
 *
 * Lower case is what is still to be replaced, upper case what is done; 2 and 3 mark consonants and vowels that go in the end.
 */

type Replacements = readonly (readonly [RegExp, string])[];

const COMMON_START: Replacements = [
  ...[replaced('^cough', 'cou2f'), replaced('^rough', 'rou2f'), replaced('^tough', 'tou2f')],
  ...[replaced('^enough', 'enou2f'), replaced('^trough', 'trou2f'), replaced('^gn', '2n')],
];

const COMMON_MIDDLE: Replacements = [
  ...[replaced('cq', '2q'), replaced('ci', 'si'), replaced('ce', 'se'), replaced('cy', 'sy'), replaced('tch', '2ch')],
  ...[replaced('[cqx]', 'k'), replaced('v', 'f'), replaced('dg', '2g'), replaced('ti([oa])', 'si$1')],
  ...[replaced('d', 't'), replaced('ph', 'fh'), replaced('b', 'p'), replaced('sh', 's2'), replaced('z', 's')],
  ...[replaced('^[aeiou]', 'A'), replaced('[aeiou]', '3')],
];

const COMMON_RUNS: Replacements = [
  ...[replaced('3gh3', '3kh3'), replaced('gh', '22'), replaced('g', 'k'), replaced('s+', 'S'), replaced('t+', 'T')],
  ...[replaced('p+', 'P'), replaced('k+', 'K'), replaced('f+', 'F'), replaced('m+', 'M'), replaced('n+', 'N')],
];

const FIRST: Replacements = [
  ...COMMON_START.filter(([pattern]) => !pattern.source.includes('trough')),
  replaced('mb$', 'm2'),
  ...COMMON_MIDDLE,
  ...COMMON_RUNS,
  ...[replaced('w3', 'W3'), replaced('wy', 'Wy'), replaced('wh3', 'Wh3'), replaced('why', 'Why'), replaced('w', '2')],
  ...[replaced('^h', 'A'), replaced('h', '2'), replaced('r3', 'R3'), replaced('ry', 'Ry'), replaced('r', '2')],
  ...[replaced('l3', 'L3'), replaced('ly', 'Ly'), replaced('l', '2'), replaced('j', 'y'), replaced('y3', 'Y3')],
  ...[replaced('y', '2'), replaced('[23]', '')],
];

const SECOND: Replacements = [
  replaced('e$', ''),
  ...COMMON_START,
  replaced('mb$', 'm2'),
  ...COMMON_MIDDLE,
  ...[replaced('j', 'y'), replaced('^y3', 'Y3'), replaced('^y', 'A'), replaced('y', '3')],
  ...COMMON_RUNS,
  ...[replaced('w3', 'W3'), replaced('wh3', 'Wh3'), replaced('w$', '3'), replaced('w', '2')],
  ...[replaced('^h', 'A'), replaced('h', '2'), replaced('r3', 'R3'), replaced('r$', '3'), replaced('r', '2')],
  ...[replaced('l3', 'L3'), replaced('l$', '3'), replaced('l', '2')],
  ...[replaced('2', ''), replaced('3$', 'A'), replaced('3', '')],
];

/** Six characters. */
export function caverphone1(word: string): string {
  return codeOf(word, FIRST, 6);
}

/** Ten characters. */
export function caverphone2(word: string): string {
  return codeOf(word, SECOND, 10);
}

function codeOf(word: string, replacements: Replacements, length: number): string {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  const code = replacements.reduce((text, [pattern, by]) => text.replace(pattern, by), letters);
  return code.padEnd(length, '1').slice(0, length);
}

function replaced(pattern: string, by: string): readonly [RegExp, string] {
  return [new RegExp(pattern, 'g'), by];
}
