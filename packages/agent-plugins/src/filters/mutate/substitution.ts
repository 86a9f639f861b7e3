/**
 * Ruby's `gsub`: a pattern of that dialect, and a replacement with `\1`, `\k<name>`, `\0` in it; both may hold `%{field}`.
 */
import { compileTemplate, type LogEvent, type TemplateOptions } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';
import { GuardedRegex, numberGroups } from '@shoal/ruby-regex';

export type Substitute = (text: string, event: LogEvent) => string;

/** Patterns that depend on the event are kept up to this number. */
const COMPILED_MAX = 1000;
/** `\1`, `\k<name>`, `\\`, and the match, what is before and behind it, and its last group: `\&`, `` \` ``, `\'`, `\+`. */
const REFERENCE = /\\(?:(\d)|k<([^>]+)>|([\\&`'+]))/g;

/** @throws ShoalError when a constant pattern is none */
export function compileSubstitution(pattern: string, replacement: string, options: TemplateOptions = {}): Substitute {
  const patternTemplate = compileTemplate(pattern, options);
  const replacementTemplate = compileTemplate(replacement, options);
  const regexOf = patternTemplate.isConstant ? constantRegex(pattern) : computedRegex(patternTemplate);
  return (text, event) => {
    const { regex, names } = regexOf(event);
    const wanted = replacementTemplate.render(event);
    if (!wanted.includes('\\')) return regex.replace(text, () => wanted);
    return regex.replace(text, (...match) => fill(wanted, match, names));
  };
}

interface NamedRegex {
  readonly regex: GuardedRegex;
  readonly names: readonly string[];
}

function compile(pattern: string): NamedRegex {
  return { regex: new GuardedRegex(pattern, 'g'), names: numberGroups(pattern).names };
}

function constantRegex(pattern: string): (event: LogEvent) => NamedRegex {
  const compiled = compile(pattern);
  return () => compiled;
}

function computedRegex(template: { render(event: LogEvent): string }): (event: LogEvent) => NamedRegex {
  const known = new Map<string, NamedRegex>();
  return (event) => {
    const pattern = template.render(event);
    let compiled = known.get(pattern);
    if (compiled === undefined) {
      compiled = compile(pattern);
      if (known.size >= COMPILED_MAX) known.clear();
      known.set(pattern, compiled);
    }
    return compiled;
  };
}

/** `match` is what `String.replace` hands over: the match, its groups, the offset, the text. */
function fill(replacement: string, match: readonly unknown[], names: readonly string[]): string {
  const offset = match.findIndex((part) => typeof part === 'number');
  const groups = match.slice(0, offset);
  return replacement.replace(REFERENCE, (_, digit?: string, name?: string, sign?: string) => {
    if (digit !== undefined) return groupText(groups, Number(digit));
    if (name !== undefined) return groupText(groups, indexOfName(names, name));
    if (sign === '\\') return '\\';
    const [whole = ''] = groups as readonly string[];
    if (sign === '&') return whole;
    const [start, text] = [Number(match[offset]), String(match[offset + 1])];
    if (sign === '`') return text.slice(0, start);
    if (sign === "'") return text.slice(start + whole.length);
    return groupText(
      groups,
      groups.findLastIndex((group, index) => index > 0 && typeof group === 'string'),
    );
  });
}

/** A group that there is not is empty, and so is one that took no part. */
function groupText(groups: readonly unknown[], index: number): string {
  const group = groups[index];
  return typeof group === 'string' ? group : '';
}

function indexOfName(names: readonly string[], name: string): number {
  const index = names.lastIndexOf(name);
  if (index < 0) throw new ShoalError('illegal_argument_exception', 400, `undefined group name reference: ${name}`);
  return index + 1;
}
