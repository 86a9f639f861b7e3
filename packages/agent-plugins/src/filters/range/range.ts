/**
 * range: what is done with an event whose number, or length of text, lies within bounds: a tag, a field, or its end.
 */
import { compileTemplate, type EventValue, type LogEvent, parseFieldReference, printValue } from '@shoal/agent-event';
import { compileFieldName, optionError, type PluginContext, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { asFloat, DoubleNumber } from '@shoal/core';

type Action = (event: LogEvent) => void;

interface Range {
  readonly min: number;
  readonly max: number;
  /** null drops the event. */
  readonly act: Action | null;
}

export const rangeFilter: PluginDefinition = {
  kind: 'filter',
  name: 'range',
  version: '3.0.3',
  isStateless: true,
  options: {
    /** Field, least, most, action, again and again. Actions: `drop`, `tag:NAME`, `field:NAME:VALUE`. */
    ranges: { type: 'array', default: [] },
    /** Acts on what lies outside. */
    negate: { type: 'boolean', default: false },
  },
  create: (options, context) => {
    const negates = options.boolean('negate');
    const fields = [...rangesOf(options.value('ranges'), context)].map(([name, ranges]) => ({
      reference: parseFieldReference(name, context.escapeStyle),
      ranges,
    }));
    return {
      filter: (event) => {
        for (const { reference, ranges } of fields) {
          const value = event.get(reference);
          if (value === undefined) continue;
          for (const { min, max, act } of ranges) {
            const size = sizeOf(value);
            if ((size !== null && size >= min && size <= max) === negates) continue;
            if (act !== null) act(event);
            else {
              event.cancel();
              return 'unmatched';
            }
          }
        }
        return 'matched';
      },
    };
  },
};

/** Code points of a text; null for what has no size. */
function sizeOf(value: EventValue): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DoubleNumber) return value.value;
  return typeof value === 'string' ? [...value].length : null;
}

/** By field, in the order in which fields come first. */
function rangesOf(value: unknown, context: PluginContext): ReadonlyMap<string, readonly Range[]> {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  if (items.length % 4 !== 0)
    throw optionError(
      `range: [ranges] takes a field, two numbers and an action for each range, and has ${items.length} values`,
    );
  const ranges = new Map<string, Range[]>();
  for (let i = 0; i < items.length; i += 4) {
    const [name, min, max, action] = items.slice(i, i + 4);
    if (typeof name !== 'string') throw optionError('range: the name of a field is a text');
    if (typeof min !== 'number' || typeof max !== 'number')
      throw optionError(`range: the bounds of [${name}] are numbers, without quotes`);
    if (typeof action !== 'string') throw optionError(`range: the action of [${name}] is a text`);
    const range = { min, max, act: actionOf(action, context) };
    const before = ranges.get(name);
    if (before === undefined) ranges.set(name, [range]);
    else before.push(range);
  }
  return ranges;
}

function actionOf(text: string, context: PluginContext): Action | null {
  const [kind, name, value, ...rest] = text.split(':');
  if (kind === 'drop' && name === undefined) return null;
  if (kind === 'tag' && name !== undefined && value === undefined) {
    const tag = compileTemplate(name, context);
    return (event) => event.tag(tag.render(event));
  }
  if (kind === 'field' && name !== undefined && value !== undefined && rest.length === 0)
    return addingField(name, value, context);
  throw optionError(`range: [${text}] is none of the actions drop, tag:NAME and field:NAME:VALUE`);
}

function addingField(name: string, text: string, context: PluginContext): Action {
  const field = compileFieldName(name, context);
  const template = compileTemplate(text, context);
  const number = numberOf(text);
  return (event) => {
    const reference = field(event);
    const before = event.get(reference);
    if (before === undefined || before === null || before === false)
      event.set(reference, number ?? template.render(event));
    // Beside others a number is a text, as upstream has it.
    else event.set(reference, [...(Array.isArray(before) ? before : [before]), template.render(event)]);
  };
}

/** A number that prints as it is written; null for any other text. */
function numberOf(text: string): EventValue {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null;
  const number = Number(text);
  const value = text.includes('.') ? asFloat(number) : number;
  return printValue(value) === text ? value : null;
}
