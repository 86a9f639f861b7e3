/**
 * Compiles text with `%{field}`, `%{+FORMAT}` (Joda) and `%{{FORMAT}}` (java.time) in it.
 *
 * A missing or null field leaves its placeholder as it is, so that a mistake can be seen in what comes out. An event
 * without a time prints nothing for a time format. An unclosed `%{` is plain text.
 */

import type { LogEvent } from '../event/log-event.ts';
import { type EscapeStyle, parseFieldReference } from '../event/parse-field-reference.ts';
import { compileJavaTimeFormat, compileJodaFormat } from '../time/time-format.ts';
import type { Timestamp } from '../time/timestamp.ts';
import { printValue } from './print-value.ts';
import type { Template } from './template.ts';

export interface TemplateOptions {
  /** For `%{{TIME_NOW}}`; without it that placeholder stays as it is. */
  readonly now?: () => Timestamp;
  /** How names in `%{…}` write brackets that belong to them. */
  readonly escapeStyle?: EscapeStyle;
}

type EventText = (event: LogEvent) => string;

/** Text as it is, or what makes text of an event: `ofTime` depends on nothing but its time. */
type Part = string | EventText | { readonly ofTime: EventText };

export function compileTemplate(text: string, options: TemplateOptions = {}): Template {
  const parts = splitTemplate(text, options);
  if (parts.every((part) => typeof part === 'string')) return { text, isConstant: true, render: () => text };
  const [only] = parts;
  if (parts.length === 1 && typeof only !== 'string' && only !== undefined)
    return { text, isConstant: false, render: typeof only === 'function' ? only : only.ofTime };
  const ofTime = parts.every((part) => typeof part !== 'function');
  return { text, isConstant: false, render: ofTime ? rememberLast(parts) : (event) => joined(parts, event) };
}

function joined(parts: readonly Part[], event: LogEvent): string {
  let rendered = '';
  for (const part of parts)
    rendered += typeof part === 'string' ? part : typeof part === 'function' ? part(event) : part.ofTime(event);
  return rendered;
}

/** Names of indices and files change with the day at most: whoever compares them with the last one is given the same text. */
function rememberLast(parts: readonly Part[]): EventText {
  const ofTime = parts.flatMap((part) => (typeof part === 'object' ? [part.ofTime] : []));
  const lastTimes: (string | null)[] = ofTime.map(() => null);
  let last = '';
  return (event) => {
    let isSame = true;
    for (let i = 0; i < ofTime.length; i++) {
      const time = ofTime[i]?.(event) ?? '';
      if (time === lastTimes[i]) continue;
      lastTimes[i] = time;
      isSame = false;
    }
    if (!isSame) last = joined(parts, event);
    return last;
  };
}

function splitTemplate(text: string, options: TemplateOptions): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let start = text.indexOf('%{'); start >= 0; start = text.indexOf('%{', from)) {
    const closing = text.startsWith('%{{', start) ? '}}' : '}';
    const end = text.indexOf(closing, start);
    if (end < 0) break;
    if (start > from) parts.push(text.slice(from, start));
    from = end + closing.length;
    parts.push(compilePlaceholder(text.slice(start, from), options));
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function compilePlaceholder(placeholder: string, options: TemplateOptions): Part {
  if (placeholder.startsWith('%{{')) return compileJavaTime(placeholder, options);
  const inner = placeholder.slice(2, -1);
  if (inner === '+%s') return (event) => epochSeconds(event);
  if (inner.startsWith('+')) return withTime(compileJodaFormat(inner.slice(1)));
  return compileField(placeholder, inner, options.escapeStyle);
}

function compileJavaTime(placeholder: string, options: TemplateOptions): Part {
  const format = placeholder.slice(3, -2);
  if (format !== 'TIME_NOW') return withTime(compileJavaTimeFormat(format));
  const { now } = options;
  return now === undefined ? placeholder : () => now().toString();
}

function withTime(format: (time: Timestamp) => string): Part {
  return {
    ofTime: (event) => {
      const time = event.timestamp;
      return time === null ? '' : format(time);
    },
  };
}

function epochSeconds(event: LogEvent): string {
  const time = event.timestamp;
  return time === null ? '' : String(Math.floor(time.epochMs / 1000));
}

function compileField(placeholder: string, name: string, escapeStyle: EscapeStyle | undefined): Part {
  // No field can have such a name: the placeholder stays, as it does for a field that is missing.
  if (name === '') return placeholder;
  const reference = parseFieldReference(name, escapeStyle);
  return (event) => {
    const value = event.get(reference);
    return value === undefined || value === null ? placeholder : printValue(value);
  };
}
