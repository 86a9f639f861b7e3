/**
 * A regular expression of Java written in Ruby's dialect.
 */
import { illegalArgument } from '@shoal/core';

export interface JavaFlags {
  readonly ignoresCase: boolean;
  /** `^` and `$` also fit at line ends. */
  readonly isMultiline: boolean;
  /** The dot fits line ends. */
  readonly isDotAll: boolean;
  /** White space and `#` comments do not count. */
  readonly isExtended: boolean;
  /** The pattern is a plain string. */
  readonly isLiteral: boolean;
}

const FLAG_NAMES: readonly string[] = [
  ...['CASE_INSENSITIVE', 'MULTILINE', 'DOTALL', 'UNICODE_CASE', 'CANON_EQ', 'UNIX_LINES', 'LITERAL', 'COMMENTS'],
  ...['UNICODE_CHAR_CLASS', 'UNICODE_CHARACTER_CLASS'],
];

/** Those that would change matches in ways that no translation has. */
const UNSUPPORTED_FLAGS: readonly string[] = [
  'CANON_EQ',
  'UNIX_LINES',
  'UNICODE_CHAR_CLASS',
  'UNICODE_CHARACTER_CLASS',
];

/** @throws ShoalError illegal_argument_exception for names that are no flags, or that are not supported */
export function parseJavaFlags(text: string): JavaFlags {
  const names = text
    .split('|')
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== '');
  for (const name of names) {
    if (!FLAG_NAMES.includes(name)) throw illegalArgument(`Unknown regex flag [${name}]`);
    if (UNSUPPORTED_FLAGS.includes(name)) throw illegalArgument(`regex flag [${name}] is not supported`);
  }
  return {
    ignoresCase: names.includes('CASE_INSENSITIVE'),
    isMultiline: names.includes('MULTILINE'),
    isDotAll: names.includes('DOTALL'),
    isExtended: names.includes('COMMENTS'),
    isLiteral: names.includes('LITERAL'),
  };
}

export interface TranslatedJavaPattern {
  readonly ruby: string;
  /** Numbers of the named groups. */
  readonly groups: ReadonlyMap<string, number>;
}

export function translateJavaPattern(source: string, flags: JavaFlags): TranslatedJavaPattern {
  if (flags.isLiteral) return { ruby: quoted(source), groups: new Map() };
  return new Translation(source, flags).run();
}

/** Members of classes in brackets, for what Ruby reads otherwise. */
const CLASSES: Readonly<Record<string, string>> = {
  Lower: 'a-z',
  Upper: 'A-Z',
  ASCII: '\\x00-\\x7f',
  Alpha: 'a-zA-Z',
  Digit: '0-9',
  Alnum: 'a-zA-Z0-9',
  Punct: '!-/:-@\\[-`{-~',
  Graph: '!-~',
  Print: '\\x20-~',
  Blank: ' \\t',
  Cntrl: '\\x00-\\x1f\\x7f',
  XDigit: '0-9a-fA-F',
  Space: ' \\t-\\r',
};

const HORIZONTAL_SPACE = ' \\t\\u00a0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000';
const VERTICAL_SPACE = '\\n-\\r\\u0085\\u2028\\u2029';

/** What holds inside of one bracket: inline flags end with it. */
interface Scope {
  readonly isMultiline: boolean;
  readonly isDotAll: boolean;
}

class Translation {
  private readonly source: string;
  private readonly out: string[] = [];
  private readonly groups = new Map<string, number>();
  private readonly outer: Scope[] = [];
  private scope: Scope;
  private groupCount = 0;
  private at = 0;
  /** Depth of nested classes in square brackets; 0 outside. */
  private classDepth = 0;

  constructor(source: string, flags: JavaFlags) {
    this.source = source;
    this.scope = flags;
    if (flags.isExtended) this.out.push('(?x)');
  }

  run(): TranslatedJavaPattern {
    while (this.at < this.source.length) this.step();
    return { ruby: this.out.join(''), groups: this.groups };
  }

  private step(): void {
    const c = this.source[this.at] ?? '';
    if (c === '\\') this.escape();
    else if (this.classDepth > 0) this.classCharacter(c);
    else if (c === '[') this.openClass();
    else if (c === '(') this.openGroup();
    else this.plain(c);
  }

  private plain(c: string): void {
    this.at++;
    if (c === ')') this.scope = this.outer.pop() ?? this.scope;
    if (c === '.') this.out.push(this.scope.isDotAll ? '[\\s\\S]' : `[^${'\\n\\r\\u0085\\u2028\\u2029'}]`);
    else if (c === '^') this.out.push(this.scope.isMultiline ? '^' : '\\A');
    else if (c === '$') this.out.push(this.scope.isMultiline ? '$' : '\\Z');
    else this.out.push(c);
  }

  private openClass(): void {
    const isNegated = this.source[this.at + 1] === '^';
    this.out.push(isNegated ? '[^' : '[');
    this.at += isNegated ? 2 : 1;
    this.classDepth++;
    // The first character is a member, even a closing bracket.
    if (this.source[this.at] === ']' && this.source.indexOf(']', this.at + 1) > 0) {
      this.out.push('\\]');
      this.at++;
    }
  }

  private classCharacter(c: string): void {
    if (c === '[') {
      this.openClass();
      return;
    }
    if (c === ']') this.classDepth--;
    this.out.push(c);
    this.at++;
  }

  private openGroup(): void {
    const rest = this.source.slice(this.at);
    const named = /^\(\?<([a-zA-Z][a-zA-Z0-9]*)>/.exec(rest);
    const inline = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/.exec(rest);
    if (named?.[1] !== undefined) {
      this.groups.set(named[1], ++this.groupCount);
      this.outer.push(this.scope);
      this.out.push('(');
      this.at += named[0].length;
    } else if (inline !== null) this.inlineFlags(inline);
    else {
      this.outer.push(this.scope);
      if (!rest.startsWith('(?')) this.groupCount++;
      const opening = /^\((?:\?(?:<?[=!]|>))?/.exec(rest)?.[0] ?? '(';
      this.out.push(opening);
      this.at += opening.length;
    }
  }

  private inlineFlags([all, on = '', off = '', end]: RegExpExecArray): void {
    const before = this.scope;
    for (const flag of on + off) {
      if (!'imsxu'.includes(flag)) throw illegalArgument(`inline flag [${flag}] of a pattern is not supported`);
    }
    const value = (flag: string, now: boolean): boolean =>
      on.includes(flag) ? true : off.includes(flag) ? false : now;
    this.scope = { isMultiline: value('m', before.isMultiline), isDotAll: value('s', before.isDotAll) };
    const kept = (flags: string): string => flags.replace(/[^ix]/g, '');
    const minus = kept(off) === '' ? '' : `-${kept(off)}`;
    if (end === ':') {
      this.outer.push(before);
      this.out.push(`(?${kept(on)}${minus}:`);
    } else if (kept(on) + minus !== '') this.out.push(`(?${kept(on)}${minus})`);
    this.at += all.length;
  }

  private escape(): void {
    const rest = this.source.slice(this.at);
    const property = /^\\([pP])(?:\{(\^?)([^}]*)\}|([A-Z]))/.exec(rest);
    const reference = /^\\k<([a-zA-Z][a-zA-Z0-9]*)>/.exec(rest);
    if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E');
      this.out.push(quoted(rest.slice(2, end < 0 ? undefined : end)));
      this.at += end < 0 ? rest.length : end + 2;
    } else if (property !== null) {
      this.out.push(this.property(property[1] === 'P' || property[2] === '^', property[3] ?? property[4] ?? ''));
      this.at += property[0].length;
    } else if (reference !== null) {
      this.out.push(`\\${this.groups.get(reference[1] ?? '') ?? 0}`);
      this.at += reference[0].length;
    } else {
      this.out.push(this.escapedCharacter(rest[1] ?? ''));
      this.at += 2;
    }
  }

  private escapedCharacter(c: string): string {
    switch (c) {
      case 'h':
        return this.members(HORIZONTAL_SPACE, false);
      case 'H':
        return this.members(HORIZONTAL_SPACE, true);
      case 'v':
        return this.members(VERTICAL_SPACE, false);
      case 'V':
        return this.members(VERTICAL_SPACE, true);
      case '':
        throw illegalArgument('Unexpected internal error near index 1');
      default:
        return `\\${c}`;
    }
  }

  private members(members: string, isNegated: boolean): string {
    return `[${isNegated ? '^' : ''}${members}]`;
  }

  private property(isNegated: boolean, name: string): string {
    const members = CLASSES[name];
    if (members !== undefined) return this.members(members, isNegated);
    const unicode = name.replace(/^(?:Is|script=|sc=|general_category=|gc=)/, '');
    return `\\${isNegated ? 'P' : 'p'}{${unicode}}`;
  }
}

/** Text that means itself. */
function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/#\s-]/g, '\\$&');
}
