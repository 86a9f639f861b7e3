/** `dissect`: fields from a text by the delimiters between them. */
import { compileDissect, type DissectKey, type DissectPattern, dissectText } from '@shoal/agent-plugin-kit';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';

export const dissectProcessor: ProcessorType = { type: 'dissect', create: createDissect };

/** `field`: a value of its own; `append`: a part of one; `name` and `value` of equal texts make one field together. */
type Role = 'field' | 'append' | 'name' | 'value' | 'skip';

interface Part {
  readonly role: Role;
  readonly name: string;
  readonly order: number;
}

const NO_MATCH = 'find_match';

function createDissect(config: ProcessorConfig): Processor {
  const field = parseFieldPath(config.text('field'));
  const source = config.text('pattern');
  const separator = config.optionalText('append_separator') ?? '';
  const ignoresMissing = config.flag('ignore_missing', false);
  const { pattern, parts } = compile(config, source);
  return simple((document) => {
    const missing = ignoresMissing && !document.has(field);
    const text = missing ? null : document.text(field);
    if (text === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
    }
    const found = dissectText(pattern, text);
    if (found === null) {
      const reason = `Unable to find match for dissect pattern: ${source} against source: ${text}`;
      throw new ShoalError(NO_MATCH, 400, reason);
    }
    for (const [name, value] of valuesOf(parts, found, separator)) document.set(parseFieldPath(name), value);
  });
}

function compile(
  config: ProcessorConfig,
  source: string,
): { readonly pattern: DissectPattern; readonly parts: readonly Part[] } {
  const refuse = (why: string): Error => config.error('pattern', `Unable to parse pattern: ${source} Reason: ${why}`);
  let pattern: DissectPattern;
  try {
    pattern = compileDissect(source);
  } catch (error) {
    throw error instanceof ShoalError ? refuse(error.message) : error;
  }
  if (pattern.keys.length === 0) throw refuse('Unable to find any keys or delimiters.');
  // Nothing says where the first of two keys ends that stand side by side.
  if (pattern.delimiters.slice(0, -1).includes('')) throw refuse('two keys without a delimiter between them');
  const parts = pattern.keys.map(partOf);
  const names = parts.filter(({ role }) => role === 'name').map(({ name }) => name);
  const values = parts.filter(({ role }) => role === 'value').map(({ name }) => name);
  const alone = [...names, ...values].find(
    (name) => names.filter((n) => n === name).length !== 1 || values.filter((n) => n === name).length !== 1,
  );
  if (alone !== undefined) {
    throw refuse(
      `Found invalid key/reference associations: '${alone}' Please ensure each '*<key>' is matched with a matching '&<key>`,
    );
  }
  return { pattern, parts };
}

function partOf({ kind, name, order }: DissectKey): Part {
  if (kind === 'append') return { role: 'append', name, order };
  if (kind === 'indirect') return { role: 'value', name, order };
  if (kind === 'field' && name.startsWith('*') && name !== '*') return { role: 'name', name: name.slice(1), order };
  return { role: kind === 'field' ? 'field' : 'skip', name, order };
}

function valuesOf(parts: readonly Part[], found: readonly string[], separator: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const appended = new Set(parts.filter(({ role }) => role === 'append').map(({ name }) => name));
  for (const [at, { role, name }] of parts.entries()) {
    const text = found[at] ?? '';
    if (role === 'field' && !appended.has(name)) values.set(name, text);
    else if (role === 'name')
      values.set(text, found[parts.findIndex((p) => p.role === 'value' && p.name === name)] ?? '');
  }
  for (const name of appended) {
    const pieces = parts.flatMap((part, at) =>
      part.name === name && (part.role === 'append' || part.role === 'field') ? [{ part, text: found[at] ?? '' }] : [],
    );
    pieces.sort((a, b) => a.part.order - b.part.order);
    values.set(name, pieces.map(({ text }) => text).join(separator));
  }
  return values;
}
