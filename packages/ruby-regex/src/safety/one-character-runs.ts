/**
 * What a pattern can do with texts of one character repeated: in which lengths it matches them, in how many ways, and how many
 * of its repetitions share one such text between them.
 *
 * Such texts are the usual way to make a backtracking matcher slow: `(.*,)+` divides a row of commas in 2^n ways, and
 * `\d+\w+\d+x` a row of digits in n^3. Zero-width parts count as matching everywhere, so the result errs on the slow side.
 */
import type { AlternativeElementNode, AlternativeNode, QuantifierNode } from 'oniguruma-parser/parser';
import type { Alphabet } from './alphabet.ts';
import { ANY_CHARACTER, type CharacterSet, characterSetOf, NO_CHARACTER } from './character-set.ts';

/** Each set holds the characters c of which a text c…c has the property. */
export interface OneCharacterRuns {
  /** Matches the empty text; all characters or none. */
  readonly empty: CharacterSet;
  /** Matches c alone. */
  readonly single: CharacterSet;
  /** Matches c…c of two or more. */
  readonly longer: CharacterSet;
  /** Matches at least two lengths above zero. */
  readonly flexible: CharacterSet;
  /** Matches some c…c in two ways. */
  readonly ambiguous: CharacterSet;
  readonly degrees: RunDegrees;
}

/**
 * By letter of the alphabet: repetitions in one sequence through which a text c…c can pass, in tenths; the most there are. None
 * at all for what has no repetitions.
 */
interface RunDegrees {
  readonly through: Uint16Array;
  readonly fromStart: Uint16Array;
  readonly toEnd: Uint16Array;
  readonly anywhere: Uint16Array;
}

const DEGREE_MAX = 2_000;
/** A repetition without end, in tenths. */
const ENDLESS = 10;
/** A text of this length makes a repetition with a limit worth as much as one without, if its limit is this. */
const USUAL_LENGTH = 1000;
const NO_DEGREES = new Uint16Array(0);
const NONE: RunDegrees = { through: NO_DEGREES, fromStart: NO_DEGREES, toEnd: NO_DEGREES, anywhere: NO_DEGREES };
const ZERO_WIDTH: OneCharacterRuns = {
  empty: ANY_CHARACTER,
  single: NO_CHARACTER,
  longer: NO_CHARACTER,
  flexible: NO_CHARACTER,
  ambiguous: NO_CHARACTER,
  degrees: NONE,
};

/** @param alphabet that of the whole pattern, or of a larger one */
export function runsOf(nodes: readonly AlternativeElementNode[], alphabet: Alphabet): OneCharacterRuns {
  let all = ZERO_WIDTH;
  for (const node of nodes) all = inSequence(all, runsOfNode(node, alphabet), alphabet);
  return all;
}

/** The time of a match grows with this power of the length; a search begins anew at each position of the same text. */
export function runDegree(runs: OneCharacterRuns, isAnchored: boolean): number {
  const start = isAnchored ? 0 : ENDLESS;
  const searched = runs.degrees.fromStart.map((degree) => (degree >= ENDLESS ? degree + start : degree));
  return Math.max(0, ...runs.degrees.anywhere, ...searched) / ENDLESS;
}

function runsOfNode(node: AlternativeElementNode, alphabet: Alphabet): OneCharacterRuns {
  switch (node.type) {
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return oneOf(characterSetOf(node));
    case 'Quantifier':
      return repeated(node, alphabet);
    case 'Group':
      return node.atomic === true ? settled(ofBranches(node.body, alphabet)) : ofBranches(node.body, alphabet);
    case 'CapturingGroup':
      return ofBranches(node.body, alphabet);
    case 'Backreference':
    case 'Subroutine':
    case 'AbsenceFunction':
      return { ...oneOf(ANY_CHARACTER), empty: ANY_CHARACTER, longer: ANY_CHARACTER };
    default:
      return ZERO_WIDTH;
  }
}

function oneOf(set: CharacterSet): OneCharacterRuns {
  return { ...ZERO_WIDTH, empty: NO_CHARACTER, single: set };
}

/** What gives nothing back has one way to match, and takes all it can. */
function settled(runs: OneCharacterRuns): OneCharacterRuns {
  const { anywhere } = runs.degrees;
  return {
    ...runs,
    single: runs.single & ~runs.longer,
    flexible: NO_CHARACTER,
    ambiguous: NO_CHARACTER,
    degrees: { ...NONE, anywhere },
  };
}

function ofBranches(branches: readonly AlternativeNode[], alphabet: Alphabet): OneCharacterRuns {
  const [first = ZERO_WIDTH, ...others] = branches.map((branch) => runsOf(branch.body, alphabet));
  return others.reduce(eitherOf, first);
}

function eitherOf(a: OneCharacterRuns, b: OneCharacterRuns): OneCharacterRuns {
  const both = filled(a) & filled(b);
  return {
    empty: a.empty | b.empty,
    single: a.single | b.single,
    longer: a.longer | b.longer,
    flexible: a.flexible | b.flexible | (a.single & b.longer) | (a.longer & b.single),
    ambiguous: a.ambiguous | b.ambiguous | (a.single & b.single) | (both & (a.flexible | b.flexible)),
    degrees: {
      through: larger(a.degrees.through, b.degrees.through),
      fromStart: larger(a.degrees.fromStart, b.degrees.fromStart),
      toEnd: larger(a.degrees.toEnd, b.degrees.toEnd),
      anywhere: larger(a.degrees.anywhere, b.degrees.anywhere),
    },
  };
}

function filled(runs: OneCharacterRuns): CharacterSet {
  return runs.single | runs.longer;
}

function passable(runs: OneCharacterRuns): CharacterSet {
  return runs.empty | filled(runs);
}

function inSequence(a: OneCharacterRuns, b: OneCharacterRuns, alphabet: Alphabet): OneCharacterRuns {
  const single = (a.empty & b.single) | (a.single & b.empty);
  const longer = (a.longer & passable(b)) | (passable(a) & b.longer) | (a.single & b.single);
  const variable = (runs: OneCharacterRuns): CharacterSet => runs.flexible | (runs.empty & filled(runs));
  const flexible =
    (a.flexible & passable(b)) | (passable(a) & b.flexible) | (variable(a) & filled(b)) | (filled(a) & variable(b));
  return {
    empty: a.empty & b.empty,
    single,
    longer,
    flexible: flexible | (single & longer),
    ambiguous: (a.ambiguous & passable(b)) | (passable(a) & b.ambiguous) | (variable(a) & variable(b)),
    degrees: degreesInSequence(a, b, alphabet),
  };
}

function degreesInSequence(a: OneCharacterRuns, b: OneCharacterRuns, { size, lettersOf }: Alphabet): RunDegrees {
  if (a.degrees === NONE && passable(a) === ANY_CHARACTER) return b.degrees;
  if (a.degrees === NONE && b.degrees === NONE) return NONE;
  const [passA, passB] = [lettersOf(passable(a)), lettersOf(passable(b))];
  const degrees = noDegrees(size);
  for (let c = 0; c < size; c++) {
    const throughA = passA[c] === 1 ? at(a.degrees.through, c) : -1;
    const throughB = passB[c] === 1 ? at(b.degrees.through, c) : -1;
    const [endA, startB] = [at(a.degrees.toEnd, c), at(b.degrees.fromStart, c)];
    degrees.through[c] = throughA < 0 || throughB < 0 ? 0 : bounded(throughA + throughB);
    degrees.fromStart[c] = Math.max(at(a.degrees.fromStart, c), throughA < 0 ? 0 : bounded(throughA + startB));
    degrees.toEnd[c] = Math.max(at(b.degrees.toEnd, c), throughB < 0 ? 0 : bounded(throughB + endA));
    degrees.anywhere[c] = Math.max(at(a.degrees.anywhere, c), at(b.degrees.anywhere, c), bounded(endA + startB));
  }
  return degrees;
}

function noDegrees(size: number): RunDegrees {
  return {
    through: new Uint16Array(size),
    fromStart: new Uint16Array(size),
    toEnd: new Uint16Array(size),
    anywhere: new Uint16Array(size),
  };
}

function repeated(node: QuantifierNode, alphabet: Alphabet): OneCharacterRuns {
  const body = runsOfNode(node.body, alphabet);
  const runs = repeatedRuns(body, node, alphabet);
  return node.kind === 'possessive' ? settled(runs) : runs;
}

function repeatedRuns(body: OneCharacterRuns, { min, max }: QuantifierNode, alphabet: Alphabet): OneCharacterRuns {
  const empty = min === 0 ? ANY_CHARACTER : body.empty;
  if (max <= 1) return { ...body, empty, degrees: optionalDegrees(body, min, alphabet) };
  const some = filled(body);
  const isVariable = min !== max;
  return {
    empty,
    single: min <= 1 ? body.single : body.single & body.empty,
    longer: some,
    flexible: isVariable ? some : body.flexible | (body.empty & some),
    ambiguous: body.ambiguous | body.flexible,
    degrees: degreesOfRounds(body, { min, max, flexible: isVariable ? some : NO_CHARACTER }, alphabet),
  };
}

function optionalDegrees(body: OneCharacterRuns, min: number, alphabet: Alphabet): RunDegrees {
  return min === 1 ? body.degrees : degreesOfRounds(body, { min, max: 1, flexible: filled(body) }, alphabet);
}

interface Rounds {
  readonly min: number;
  readonly max: number;
  /** Characters of which the rounds may take more or fewer. */
  readonly flexible: CharacterSet;
}

/** Each round of a counted group is a part of its own; without end, the rounds are one repetition. */
function degreesOfRounds(
  body: OneCharacterRuns,
  { min, max, flexible }: Rounds,
  { size, lettersOf }: Alphabet,
): RunDegrees {
  if (body.degrees === NONE && flexible === NO_CHARACTER) return NONE;
  const isFlexible = lettersOf(flexible);
  const isPassable = lettersOf(filled(body));
  const choice = Math.min(ENDLESS, Math.round((ENDLESS * Math.log(max - min + 1)) / Math.log(USUAL_LENGTH)));
  const degrees = noDegrees(size);
  for (let c = 0; c < size; c++) {
    const inside = isPassable[c] === 1 ? at(body.degrees.through, c) : 0;
    const rounds = inside === 0 ? 0 : bounded(inside * Math.min(max, DEGREE_MAX));
    const own = Math.max(rounds, isFlexible[c] === 1 ? choice : 0);
    const [start, end] = [at(body.degrees.fromStart, c), at(body.degrees.toEnd, c)];
    degrees.through[c] = own;
    degrees.fromStart[c] = Math.max(own, start);
    degrees.toEnd[c] = Math.max(own, end);
    degrees.anywhere[c] = Math.max(own, at(body.degrees.anywhere, c), max === 1 ? 0 : bounded(start + end));
  }
  return degrees;
}

function at(degrees: Uint16Array, index: number): number {
  return degrees[index] ?? 0;
}

function bounded(degree: number): number {
  return Math.min(degree, DEGREE_MAX);
}

function larger(a: Uint16Array, b: Uint16Array): Uint16Array {
  if (a === b || b.length === 0) return a;
  return a.length === 0 ? b : a.map((degree, index) => Math.max(degree, b[index] ?? 0));
}
