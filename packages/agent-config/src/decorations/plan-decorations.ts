/**
 * Decorations as the common options of a checked plugin ask for them.
 */
import type { TemplateOptions } from '@shoal/agent-event';
import { type CheckedOptions, optionText } from '../options/checked-options.ts';
import {
  compileInputDecoration,
  compileMatchDecoration,
  type FaultListener,
  type InputDecoration,
  type MatchDecoration,
} from './decorations.ts';

/** null when the filter has none. */
export function decorationOfFilter(
  options: CheckedOptions,
  templates: TemplateOptions = {},
  onFault: FaultListener | null = null,
): MatchDecoration | null {
  const decorations = {
    addField: hashOf(options, 'add_field'),
    removeField: textsOf(options, 'remove_field'),
    addTag: textsOf(options, 'add_tag'),
    removeTag: textsOf(options, 'remove_tag'),
  };
  return compileMatchDecoration(decorations, templates, onFault);
}

export function decorationOfInput(options: CheckedOptions, templates: TemplateOptions = {}): InputDecoration {
  const type = options.values.get('type');
  const decorations = {
    ...(type === undefined ? {} : { type: optionText(type.value) }),
    tags: textsOf(options, 'tags'),
    addField: hashOf(options, 'add_field'),
  };
  return compileInputDecoration(decorations, templates);
}

/** A constant decoration does the same to every event: nothing in it is looked up in the event. */
export function isDecorationConstant(options: CheckedOptions): boolean {
  const texts = [...textsOf(options, 'tags'), ...hashOf(options, 'add_field').entries()].flat(Infinity);
  return !texts.some((text) => String(text).includes('%{'));
}

function hashOf(options: CheckedOptions, name: string): ReadonlyMap<string, unknown> {
  const value = options.values.get(name);
  return value?.kind === 'hash' ? value.value : new Map();
}

function textsOf(options: CheckedOptions, name: string): readonly string[] {
  const value = options.values.get(name);
  return Array.isArray(value?.value) ? value.value.map(optionText) : [];
}
