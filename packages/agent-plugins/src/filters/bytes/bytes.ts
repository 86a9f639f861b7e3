/**
 * bytes: a size as people write it, `123 MB` or `5,3g`, as a number of bytes.
 */
import { printValue } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { asFloat, ShoalError } from '@shoal/core';

const PREFIXES = 'kmgtp';

interface Notation {
  readonly group: string;
  readonly decimal: string;
  readonly base: 1000 | 1024;
}

export const bytesFilter: PluginDefinition = {
  kind: 'filter',
  name: 'bytes',
  version: '1.0.3',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', default: 'message' },
    target: { type: 'fieldReference', isRequired: true },
    prefix_system: { type: ['binary', 'metric'], default: 'binary' },
    digit_group_separator: { type: 'string', default: ' ' },
    decimal_separator: { type: 'string', default: '.' },
    tag_on_failure: { type: 'array', default: ['_bytesparsefailure'] },
  },
  create: (options) => {
    const source = options.reference('source');
    const target = options.reference('target');
    const notation: Notation = {
      group: options.string('digit_group_separator'),
      decimal: options.string('decimal_separator'),
      base: options.string('prefix_system') === 'binary' ? 1024 : 1000,
    };
    if (notation.group === notation.decimal)
      throw new ShoalError(
        'illegal_argument_exception',
        400,
        `[digit_group_separator] and [decimal_separator] cannot both be [${notation.group}]`,
      );
    return {
      filter: (event) => {
        const value = event.get(source);
        const text = value === undefined || value === null ? '' : printValue(value);
        const size = sizeOf(text, notation);
        if (size === null) {
          for (const tag of options.strings('tag_on_failure')) event.tag(tag);
          return 'unmatched';
        }
        event.set(target, asFloat(size));
        return 'matched';
      },
    };
  },
};

/** Bytes that the first line with a size says; null when none does. */
function sizeOf(text: string, notation: Notation): number | null {
  for (const line of text.trim().split('\n')) {
    const size = lineSize(line, notation);
    if (size !== null) return size;
  }
  return null;
}

function lineSize(line: string, { group, decimal, base }: Notation): number | null {
  const [unit = '', prefix = ''] = /([kmgtp]?)b?$/i.exec(line) ?? [];
  const written = line.slice(0, line.length - unit.length).trimEnd();
  let digits = '';
  for (const char of written) {
    if (group.includes(char)) continue;
    if (decimal.includes(char)) digits += '.';
    else if (char >= '0' && char <= '9') digits += char;
    else return null;
  }
  if (digits === '') return null;
  // What stands behind a second point is left out, as Ruby reads numbers.
  const number = Number(/^\d*(?:\.\d+)?/.exec(digits)?.[0] || '0');
  return number * base ** (PREFIXES.indexOf(prefix.toLowerCase()) + (prefix === '' ? 0 : 1));
}
