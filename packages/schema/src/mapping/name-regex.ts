/**
 * Regular expressions over names of fields, in the syntax of Java as far as it needs no way back: matched in one pass over
 * the name, whatever the expression. What can only be matched by trying (references, look-around) is refused.
 *
 * The whole name must match, so that lazy repetitions are the same as greedy ones.
 */

/** States of one expression; counted repetitions are written out. */
const STATES_MAX = 10_000;
/** Groups inside each other. */
const NESTING_MAX = 200;
const CODE_POINT_MAX = 0x10_ffff;

interface CodeRange {
  readonly low: number;
  readonly high: number;
}

/** Where between characters an expression may ask to be; a boundary has a word on one side alone. */
type Place = 'start' | 'end' | 'boundary' | 'noBoundary';

/** What a state reads, or asks of the place where it stands. */
type State =
  | { readonly kind: 'read'; readonly ranges: readonly CodeRange[]; next: number }
  | { readonly kind: 'fork'; next: number; other: number }
  | { readonly kind: Place; next: number }
  | { readonly kind: 'accept' };

type Tree =
  | { readonly kind: 'characters'; readonly ranges: readonly CodeRange[] }
  | { readonly kind: Place }
  | { readonly kind: 'union' | 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeated'; readonly of: Tree; readonly min: number; readonly max: number | null };

/** The expression cannot be read, or needs what one pass cannot do. */
export class NameRegexError extends Error {}

export class NameRegex {
  readonly #states: State[] = [{ kind: 'accept' }];
  readonly #start: number;

  /** @throws NameRegexError */
  constructor(pattern: string) {
    this.#start = this.#compile(new NameRegexParser(pattern).parse(), 0);
  }

  /** Time grows with the length of the name times the states of the expression. */
  matches(name: string): boolean {
    const characters = [...name];
    const points = characters.map((character) => character.codePointAt(0) ?? 0);
    let current = this.#closure([this.#start], placesAt(points, 0));
    for (const [i, point] of points.entries()) {
      const seeds: number[] = [];
      for (const id of current) {
        const state = this.#states[id];
        if (state?.kind === 'read' && isIn(state.ranges, point)) seeds.push(state.next);
      }
      if (seeds.length === 0) return false;
      current = this.#closure(seeds, placesAt(points, i + 1));
    }
    return current.has(0);
  }

  #closure(seeds: readonly number[], places: readonly Place[]): ReadonlySet<number> {
    const reached = new Set(seeds);
    for (const id of reached) {
      const state = this.#states[id];
      if (state?.kind === 'fork') reached.add(state.next).add(state.other);
      else if (state !== undefined && state.kind !== 'read' && state.kind !== 'accept' && places.includes(state.kind)) {
        reached.add(state.next);
      }
    }
    return reached;
  }

  #add(state: State): number {
    if (this.#states.length >= STATES_MAX) throw new NameRegexError(`it takes more than ${STATES_MAX} states`);
    return this.#states.push(state) - 1;
  }

  /** @returns the state in which the tree begins; behind it comes `next` */
  #compile(tree: Tree, next: number): number {
    switch (tree.kind) {
      case 'characters':
        return this.#add({ kind: 'read', ranges: tree.ranges, next });
      case 'start':
      case 'end':
      case 'boundary':
      case 'noBoundary':
        return this.#add({ kind: tree.kind, next });
      case 'sequence':
        return tree.parts.reduceRight((behind, part) => this.#compile(part, behind), next);
      case 'union':
        return tree.parts
          .map((part) => this.#compile(part, next))
          .reduceRight((other, start) => this.#add({ kind: 'fork', next: start, other }));
      default:
        return this.#repeated(tree, next);
    }
  }

  #repeated({ of, min, max }: Extract<Tree, { readonly kind: 'repeated' }>, next: number): number {
    let start = next;
    if (max === null) {
      const loop: State = { kind: 'fork', next, other: next };
      start = this.#add(loop);
      loop.next = this.#compile(of, start);
    } else {
      for (let i = min; i < max; i++) start = this.#add({ kind: 'fork', next: this.#compile(of, start), other: next });
    }
    // Each round takes a state at least, so that a huge count ends at the limit of states.
    for (let i = 0; i < min; i++) {
      const inner = this.#compile(of, start);
      start = this.#add({ kind: 'fork', next: inner, other: inner });
    }
    return start;
  }
}

function isIn(ranges: readonly CodeRange[], point: number): boolean {
  return ranges.some(({ low, high }) => low <= point && point <= high);
}

/** What holds between the characters in front of `at` and those behind. */
function placesAt(points: readonly number[], at: number): readonly Place[] {
  const isWord = (point: number | undefined): boolean => point !== undefined && isIn(WORDS, point);
  const isBoundary = isWord(points[at - 1]) !== isWord(points[at]);
  return [
    isBoundary ? 'boundary' : 'noBoundary',
    ...(at === 0 ? (['start'] as const) : []),
    ...(at === points.length ? (['end'] as const) : []),
  ];
}

const range = (low: string, high: string = low): CodeRange => ({
  low: low.codePointAt(0) ?? 0,
  high: high.codePointAt(0) ?? 0,
});
const DIGITS = [range('0', '9')];
const WORDS = [range('a', 'z'), range('A', 'Z'), range('_'), ...DIGITS];
const SPACES = [range(' '), range('\t', '\r')];
const LINE_ENDS = [range('\n'), range('\r'), range('\u0085'), range('\u2028', '\u2029')];
const CLASSES: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ['d', DIGITS],
  ['D', inverted(DIGITS)],
  ['w', WORDS],
  ['W', inverted(WORDS)],
  ['s', SPACES],
  ['S', inverted(SPACES)],
]);
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
  ['a', '\u0007'],
  ['e', '\u001b'],
]);

function inverted(ranges: readonly CodeRange[]): CodeRange[] {
  const out: CodeRange[] = [];
  let next = 0;
  for (const { low, high } of [...ranges].sort((a, b) => a.low - b.low)) {
    if (low > next) out.push({ low: next, high: low - 1 });
    next = Math.max(next, high + 1);
  }
  if (next <= CODE_POINT_MAX) out.push({ low: next, high: CODE_POINT_MAX });
  return out;
}

class NameRegexParser {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;
  #ignoresCase = false;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  parse(): Tree {
    this.#ignoresCase = this.#takeText('(?i)');
    const tree = this.#union();
    if (this.#at < this.#characters.length) throw this.#failure('a parenthesis closes nothing');
    return tree;
  }

  #failure(why: string): NameRegexError {
    return new NameRegexError(`${why} at position ${this.#at}`);
  }

  #take(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #takeText(text: string): boolean {
    if (this.#characters.slice(this.#at, this.#at + text.length).join('') !== text) return false;
    this.#at += text.length;
    return true;
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw this.#failure('it ends too early');
    this.#at++;
    return character;
  }

  #union(): Tree {
    if (++this.#depth > NESTING_MAX) throw this.#failure(`more than ${NESTING_MAX} nested groups`);
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth--;
    return { kind: 'union', parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    for (
      let c = this.#characters[this.#at];
      c !== undefined && c !== '|' && c !== ')';
      c = this.#characters[this.#at]
    ) {
      parts.push(this.#repetition());
    }
    return { kind: 'sequence', parts };
  }

  #repetition(): Tree {
    let of = this.#atom();
    for (let counts = this.#counts(); counts !== null; counts = this.#counts()) {
      of = { kind: 'repeated', of, ...counts };
      // Lazy: the same names match.
      if (!this.#take('?') && this.#take('+')) throw this.#failure('possessive repetitions are not supported');
    }
    return of;
  }

  #counts(): { readonly min: number; readonly max: number | null } | null {
    if (this.#take('*')) return { min: 0, max: null };
    if (this.#take('+')) return { min: 1, max: null };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (!this.#take('{')) return null;
    const min = this.#number();
    let max: number | null = min;
    if (this.#take(',')) max = this.#characters[this.#at] === '}' ? null : this.#number();
    if (!this.#take('}')) throw this.#failure('a repetition is not closed');
    if (max !== null && max < min) throw this.#failure('a repetition ends before it begins');
    return { min, max };
  }

  #number(): number {
    let digits = '';
    while (/^[0-9]$/.test(this.#characters[this.#at] ?? '')) digits += this.#next();
    if (digits === '' || digits.length > 9) throw this.#failure('a repetition needs a number');
    return Number(digits);
  }

  #atom(): Tree {
    const c = this.#next();
    switch (c) {
      case '(':
        return this.#group();
      case '[':
        return this.#characterClass();
      case '.':
        return { kind: 'characters', ranges: inverted(LINE_ENDS) };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        if (this.#take('b')) return { kind: 'boundary' };
        if (this.#take('B')) return { kind: 'noBoundary' };
        return { kind: 'characters', ranges: this.#escape() };
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.#failure('a repetition repeats nothing');
      default:
        return this.#literal(c);
    }
  }

  #literal(character: string): Tree {
    return { kind: 'characters', ranges: this.#withCases([range(character)]) };
  }

  /** Letters of ASCII in both cases, where the expression begins with `(?i)`. */
  #withCases(ranges: readonly CodeRange[]): readonly CodeRange[] {
    if (!this.#ignoresCase) return ranges;
    const other = (from: string, to: string, by: number): CodeRange[] =>
      ranges.flatMap(({ low, high }) => {
        const [first, last] = [Math.max(low, range(from).low), Math.min(high, range(to).low)];
        return first <= last ? [{ low: first + by, high: last + by }] : [];
      });
    return [...ranges, ...other('a', 'z', -32), ...other('A', 'Z', 32)];
  }

  #group(): Tree {
    if (this.#take('?') && !this.#take(':')) {
      if (!this.#take('<') || !/^[a-zA-Z]$/.test(this.#characters[this.#at] ?? '')) {
        throw this.#failure('look-around, flags and atomic groups are not supported');
      }
      while (/^[a-zA-Z0-9]$/.test(this.#characters[this.#at] ?? '')) this.#at++;
      if (!this.#take('>')) throw this.#failure('the name of a group is not closed');
    }
    const inner = this.#union();
    if (!this.#take(')')) throw this.#failure('a group is not closed');
    return inner;
  }

  #characterClass(): Tree {
    const isNegated = this.#take('^');
    const ranges: CodeRange[] = [];
    // A bracket that stands first is one of the characters.
    for (let isFirst = true; isFirst || this.#characters[this.#at] !== ']'; isFirst = false) {
      if (this.#characters[this.#at] === '[' || this.#takeText('&&')) {
        throw this.#failure('unions and intersections of character classes are not supported');
      }
      ranges.push(...this.#classItem());
    }
    this.#at++;
    const cased = this.#withCases(ranges);
    return { kind: 'characters', ranges: isNegated ? inverted(cased) : cased };
  }

  #classItem(): readonly CodeRange[] {
    const low = this.#classCharacter();
    const isRange = this.#characters[this.#at] === '-' && (this.#characters[this.#at + 1] ?? ']') !== ']';
    const from = low[0];
    if (!isRange || low.length !== 1 || from === undefined || from.low !== from.high) return low;
    this.#at++;
    const [to, more] = this.#classCharacter();
    if (to === undefined || more !== undefined || to.low !== to.high || to.low < from.low) {
      throw this.#failure('a range of characters has no end above its start');
    }
    return [{ low: from.low, high: to.low }];
  }

  #classCharacter(): readonly CodeRange[] {
    const c = this.#next();
    return c === '\\' ? this.#escape() : [range(c)];
  }

  #escape(): readonly CodeRange[] {
    const c = this.#next();
    const known = CLASSES.get(c);
    if (known !== undefined) return known;
    const control = CONTROLS.get(c);
    if (control !== undefined) return [range(control)];
    if (c === 'x' || c === 'u') {
      const digits = Array.from({ length: c === 'x' ? 2 : 4 }, () => this.#next()).join('');
      if (!/^[0-9a-fA-F]+$/.test(digits)) throw this.#failure(`\\${c} needs hexadecimal digits`);
      const point = Number.parseInt(digits, 16);
      return [{ low: point, high: point }];
    }
    if (/^[a-zA-Z0-9]$/.test(c)) throw this.#failure(`\\${c} is not supported`);
    return this.#withCases([range(c)]);
  }
}
