/**
 * Names of fields as options have them: constant, or with `%{…}` in them and thus another one for each event.
 */
import {
  compileTemplate,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
  type TemplateOptions,
} from '@shoal/agent-event';

export type FieldName = (event: LogEvent) => FieldReference;

/** Parsed at once when it is constant. A computed name that is no reference throws a `ShoalError` for that event. */
export function compileFieldName(text: string, options: TemplateOptions = {}): FieldName {
  const { escapeStyle } = options;
  const template = compileTemplate(text, options);
  if (!template.isConstant) return (event) => parseFieldReference(template.render(event), escapeStyle);
  const reference = parseFieldReference(text, escapeStyle);
  return () => reference;
}

/** The field `name` (a name or a path) below `target`; the field itself when there is no target. */
export function fieldBelow(target: FieldReference | null, name: string): FieldReference {
  const own = parseFieldReference(name);
  if (target === null) return own;
  return parseFieldReference(`${brackets(target)}${own.path.map((part) => `[${part}]`).join('')}`);
}

function brackets(reference: FieldReference): string {
  const path = reference.isMetadata ? ['@metadata', ...reference.path] : reference.path;
  return path.map((part) => `[${part}]`).join('');
}
