/**
 * extractnumbers: the words of a text that are numbers, as the fields `int1`, `int2` … and `float1` …
 */
import { type EventValue, parseFieldReference } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { asFloat, asInteger } from '@shoal/core';
import { floatOfText, integerOfText } from '../../scripting/ruby/text/number-text.ts';

export const extractnumbersFilter: PluginDefinition = {
  kind: 'filter',
  name: 'extractnumbers',
  version: '3.0.3',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', default: 'message' },
  },
  create: (options) => {
    const source = options.reference('source');
    return {
      filter: (event) => {
        const value = event.get(source);
        const text = Array.isArray(value) ? value[0] : value;
        if (typeof text !== 'string') return 'unmatched';
        const counts = { int: 0, float: 0 };
        const put = (kind: 'int' | 'float', number: EventValue): void =>
          event.set(parseFieldReference(`${kind}${++counts[kind]}`), number);
        for (const word of text.split(/\s+/)) {
          const whole = integerOfText(word);
          const real = whole === null ? floatOfText(word) : null;
          if (whole !== null) put('int', asInteger(whole));
          else if (real !== null) put('float', asFloat(real));
        }
        return counts.int + counts.float > 0 ? 'matched' : 'unmatched';
      },
    };
  },
};
