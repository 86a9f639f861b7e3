/**
 * split: makes one event of each line of a text or each item of an array; the original goes.
 */
import type { EventValue } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

/** One event must not fill the memory: what is beyond stays together in the last. */
const PARTS_MAX = 1_000_000;
/** The one field that has to be a list or a text. */
const TAGS = 'tags';

export const splitFilter: PluginDefinition = {
  kind: 'filter',
  name: 'split',
  version: '3.1.8',
  isStateless: true,
  options: {
    field: { type: 'fieldReference', default: 'message' },
    terminator: { type: 'string', default: '\n' },
    target: { type: 'fieldReference' },
  },
  create: (options, context) => {
    const field = options.reference('field');
    const target = options.has('target') ? options.reference('target') : field;
    const terminator = options.string('terminator');
    return {
      filter: (event, emit) => {
        const value = event.get(field);
        let parts: readonly EventValue[];
        if (Array.isArray(value)) parts = value;
        else if (typeof value === 'string') {
          parts = splitText(value, terminator);
          if (parts.length === 1) return 'unmatched';
        } else {
          event.tag('_split_type_failure');
          context.runtime.log.warn('split wants a text or an array', { plugin: context.pluginId, field: field.text });
          return 'unmatched';
        }
        // The list is in none of the copies: to copy it for each of its items would take quadratic time.
        const isReplaced = target === field && Array.isArray(value) && field.path[0] !== TAGS;
        const whole = isReplaced ? event.clone() : event;
        if (isReplaced) whole.set(field, null);
        for (const part of bounded(parts, terminator)) {
          if (part === '' || part === null) continue;
          const copy = whole.clone();
          copy.set(target, part);
          emit(copy);
        }
        event.cancel();
        return 'matched';
      },
    };
  },
};

/** Ruby's `split` with the limit -1: empty parts at the end count, and an empty text has no part at all. */
function splitText(text: string, terminator: string): readonly string[] {
  if (text === '') return [];
  // A single blank stands for any white space, nothing for what is between characters.
  if (terminator === ' ') return text.replace(/^[\t-\r ]+/, '').split(/[\t-\r ]+/);
  return terminator === '' ? [...text, ''] : text.split(terminator);
}

function bounded(parts: readonly EventValue[], terminator: string): readonly EventValue[] {
  if (parts.length <= PARTS_MAX) return parts;
  const rest = parts.slice(PARTS_MAX - 1);
  const isText = rest.every((part) => typeof part === 'string');
  return [...parts.slice(0, PARTS_MAX - 1), isText ? rest.join(terminator) : rest];
}
