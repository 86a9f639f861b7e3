/**
 * Index names with date math, `<logs-{now/d}>`: the static parts and, in braces, an instant with an optional format and
 * time zone, `{now/M{uuuu.MM|Europe/Berlin}}`. A backslash takes the meaning from the brace behind it.
 */
import { ShoalError } from '@shoal/core';
import { dateFormatter, parseDateMath, timeZone } from '@shoal/schema';

const DEFAULT_FORMAT = 'uuuu.MM.dd';

/** The name itself when it is not in angle brackets. */
export function resolveDateMathName(name: string, nowMs: number): string {
  if (!name.startsWith('<') || !name.endsWith('>')) return name;
  const inner = name.slice(1, -1);
  let out = '';
  let at = 0;
  while (at < inner.length) {
    const c = inner[at] ?? '';
    if (c === '\\') {
      out += inner[at + 1] ?? '';
      at += 2;
    } else if (c === '{') {
      const end = closingBrace(inner, at, name);
      out += evaluate(inner.slice(at + 1, end), nowMs, name);
      at = end + 1;
    } else if (c === '}') {
      throw malformed(
        name,
        `invalid character at position [${at + 1}]. \`{\` and \`}\` are reserved characters and should be escaped when used as ` +
          'part of the index name using `\\` (e.g. `\\{text\\}`)',
      );
    } else {
      out += c;
      at++;
    }
  }
  if (out === '') throw new ShoalError('parse_exception', 400, 'nothing captured');
  return out;
}

function closingBrace(text: string, open: number, name: string): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  throw malformed(name, 'date math placeholder is open ended');
}

function evaluate(expression: string, nowMs: number, name: string): string {
  const brace = expression.indexOf('{');
  const math = brace === -1 ? expression : expression.slice(0, brace);
  const [format = DEFAULT_FORMAT, zone = 'UTC'] = brace === -1 ? [] : expression.slice(brace + 1, -1).split('|');
  if (format === '') throw malformed(name, 'missing date format');
  const clocks = timeZone(zone);
  const formatter = dateFormatter(format);
  const ms = parseDateMath(math, { formatter, clock: { nowMs }, roundUp: false, timeZone: zone });
  return formatter.print(ms, clocks.offsetMinutes(ms));
}

function malformed(name: string, why: string): ShoalError {
  return new ShoalError('parse_exception', 400, `invalid dynamic name expression [${name.slice(1)}]. ${why}`);
}
