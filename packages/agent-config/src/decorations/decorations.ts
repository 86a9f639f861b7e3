/**
 * What the options common to a kind do to an event: `add_field`, `remove_field`, `add_tag`, `remove_tag` of a filter when
 * it matched; `type`, `tags`, `add_field` of an input always. Compiled once; run by the pipeline, never by plugins.
 */
import {
  compileTemplate,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
  type Template,
  type TemplateOptions,
  toEventValue,
} from '@shoal/agent-event';
import { isShoalError } from '@shoal/core';

/** May throw a `ShoalError` where a field cannot be set. */
export type MatchDecoration = (event: LogEvent) => void;
export type InputDecoration = (event: LogEvent) => void;

export interface MatchDecorationOptions {
  readonly addField?: ReadonlyMap<string, unknown>;
  readonly removeField?: readonly string[];
  readonly addTag?: readonly string[];
  readonly removeTag?: readonly string[];
}

export interface InputDecorationOptions {
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly addField?: ReadonlyMap<string, unknown>;
}

/** Called with why a name is no reference. Such a decoration fails with every event that gets there. */
export type FaultListener = (why: string) => void;

/**
 * null when there is nothing to do.
 *
 * @throws ShoalError for a name that is no reference, when nobody listens for that
 */
export function compileMatchDecoration(
  options: MatchDecorationOptions,
  templates: TemplateOptions = {},
  onFault: FaultListener | null = null,
): MatchDecoration | null {
  const actions = [
    ...addFieldActions(options.addField ?? new Map(), templates, onFault),
    ...(options.removeField ?? []).map((name) => removeFieldAction(name, templates, onFault)),
    ...(options.addTag ?? []).map((tag) => addTagAction(tag, templates)),
    ...removeTagActions(options.removeTag ?? [], templates),
  ];
  return actions.length === 0 ? null : inOrder(actions);
}

export function compileInputDecoration(
  options: InputDecorationOptions,
  templates: TemplateOptions = {},
): InputDecoration {
  const { type } = options;
  return inOrder([
    ...(type === undefined ? [] : [typeAction(type)]),
    ...(options.tags ?? []).map((tag) => addTagAction(tag, templates)),
    ...addFieldActions(options.addField ?? new Map(), templates),
  ]);
}

/** Sets a field, or makes an array of what is there and this. */
function addToField(event: LogEvent, reference: FieldReference, value: EventValue): void {
  const existing = event.get(reference);
  if (existing === undefined || existing === null) event.set(reference, value);
  else if (Array.isArray(existing)) existing.push(value);
  else event.set(reference, [existing, value]);
}

/** The reference that a template's text is: parsed once when the text is constant. */
function compileReference(
  text: string,
  templates: TemplateOptions,
  onFault: FaultListener | null,
): (event: LogEvent) => FieldReference {
  const template = compileTemplate(text, templates);
  const { escapeStyle } = templates;
  if (!template.isConstant) return (event) => parseFieldReference(template.render(event), escapeStyle);
  try {
    const reference = parseFieldReference(text, escapeStyle);
    return () => reference;
  } catch (error) {
    if (onFault === null || !isShoalError(error)) throw error;
    onFault(error.message);
    return () => parseFieldReference(text, escapeStyle);
  }
}

function inOrder(actions: readonly MatchDecoration[]): MatchDecoration {
  return (event) => {
    for (const action of actions) action(event);
  };
}

function typeAction(type: string): InputDecoration {
  return (event) => {
    if (!event.fields.has('type')) event.fields.set('type', type);
  };
}

function addFieldActions(
  fields: ReadonlyMap<string, unknown>,
  templates: TemplateOptions,
  onFault: FaultListener | null = null,
): readonly MatchDecoration[] {
  return [...fields].flatMap(([name, value]) => {
    const referenceOf = compileReference(name, templates, onFault);
    return (Array.isArray(value) ? value : [value]).map((item: unknown): MatchDecoration => {
      const render = compileValue(item, templates);
      return (event) => addToField(event, referenceOf(event), render(event));
    });
  });
}

function compileValue(value: unknown, templates: TemplateOptions): (event: LogEvent) => EventValue {
  if (typeof value !== 'string') return () => toEventValue(value);
  const template: Template = compileTemplate(value, templates);
  return template.isConstant ? () => value : (event) => template.render(event);
}

function removeFieldAction(name: string, templates: TemplateOptions, onFault: FaultListener | null): MatchDecoration {
  const referenceOf = compileReference(name, templates, onFault);
  return (event) => {
    event.remove(referenceOf(event));
  };
}

/** Adds a tag even where the event has it: only the tags that plugins set themselves are never there twice. */
function addTagAction(tag: string, templates: TemplateOptions): MatchDecoration {
  const template = compileTemplate(tag, templates);
  return (event) => event.addTag(template.render(event));
}

function removeTagActions(tags: readonly string[], options: TemplateOptions): readonly MatchDecoration[] {
  if (tags.length === 0) return [];
  const templates = tags.map((tag) => compileTemplate(tag, options));
  return [
    (event) => {
      const present = event.fields.get('tags');
      if (present === undefined || present === null) return;
      const removed = new Set<EventValue>(templates.map((template) => template.render(event)));
      const list = Array.isArray(present) ? present : [present];
      event.fields.set(
        'tags',
        list.filter((tag) => !removed.has(tag)),
      );
    },
  ];
}
