/**
 * Mustache templates: the body of a mail in a file, filled from the fields of an event and escaped for HTML.
 *
 * A template is read once, when the output is made; what an event can do to its rendering is bounded in size.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';
import { rubyText } from '@shoal/agent-plugin-kit';
import { ShoalError, writeJsonText } from '@shoal/core';
import { MustacheError, type MustachePart, type MustacheValues, parseMustache, renderMustache } from '@shoal/mustache';

/** Characters and rounds of sections of one text made of a template. */
const RENDERED_MAX = 2_000_000;

export interface MustacheTemplate {
  render(fields: EventMap): string;
}

/** @throws ShoalError where the text is no template. */
export function compileMustache(text: string): MustacheTemplate {
  const parts = partsOf(text);
  return { render: (fields) => renderMustache<EventValue>(parts, [fields], VALUES, RENDERED_MAX) };
}

function partsOf(text: string): readonly MustachePart[] {
  try {
    return parseMustache(text);
  } catch (error) {
    if (error instanceof MustacheError) throw invalid(error.message);
    throw error;
  }
}

const VALUES: MustacheValues<EventValue> = {
  member: (value, name) => (value instanceof Map ? value.get(name) : undefined),
  items: (value) => (Array.isArray(value) ? value : null),
  isFalse: (value) => value === false,
  text: rubyText,
  escape: escaped,
  json: (value) => (value instanceof Map || Array.isArray(value) ? writeJsonText(value) : rubyText(value)),
  itemText: rubyText,
  tooLong: () => invalid(`it makes a text of more than ${RENDERED_MAX} characters`),
};

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] ?? char);
}

function invalid(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `the Mustache template cannot be used: ${why}`);
}
