/** `dot_expander`: a field with dots in its name becomes a field of objects. */
import { illegalArgument } from '@shoal/core';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { type IngestDocument, notOfType } from '../../document/ingest-document.ts';
import type { DocumentMap } from '../../values/document-value.ts';

export const dotExpanderProcessor: ProcessorType = { type: 'dot_expander', create: createDotExpander };

/** Stands for every member with a dot in its name. */
const EVERY_NAME = '*';

function createDotExpander(config: ProcessorConfig): Processor {
  const name = config.text('field');
  if (!name.includes('.') && name !== EVERY_NAME) throw config.error('field', 'field does not contain dot');
  if (name.startsWith('.') || name.endsWith('.')) throw config.error('field', "Field can't start or end with a dot");
  if (name.includes('..')) throw config.error('field', 'No whitespace between dots');
  const above = config.optionalText('path');
  const overrides = config.flag('override', false);
  return simple((document) => {
    const parent = parentOf(document, above);
    const names = name === EVERY_NAME ? [...parent.keys()].filter((member) => member.indexOf('.') > 0) : [name];
    for (const member of names) expand(document, parent, { name: member, above, overrides });
  });
}

interface Expansion {
  readonly name: string;
  /** Path of the object that the name is in; null: the document. */
  readonly above: string | null;
  /** The value takes the place of one that is there; else both become a list. */
  readonly overrides: boolean;
}

function expand(document: IngestDocument, parent: DocumentMap, { name, above, overrides }: Expansion): void {
  const field = parseFieldPath(above === null ? name : `${above}.${name}`);
  if (document.has(field)) {
    const value = parent.get(name);
    parent.delete(name);
    if (value === undefined) return;
    if (overrides) document.set(field, value);
    else document.append(field, value, { allowsDuplicates: true });
    return;
  }
  if (!parent.has(name)) return;
  for (let depth = 1; depth < field.elements.length; depth++) {
    const partial = parseFieldPath(field.elements.slice(0, depth).join('.'));
    if (document.has(partial) && !(document.get(partial) instanceof Map)) {
      throw illegalArgument(
        `cannot expend [${field.text}], because [${partial.text}] is not an object field, but a value field`,
      );
    }
  }
  const value = parent.get(name) ?? null;
  parent.delete(name);
  document.set(field, value);
}

function parentOf(document: IngestDocument, above: string | null): DocumentMap {
  if (above === null) return document.fields;
  const path = parseFieldPath(above);
  const found = document.get(path);
  if (found instanceof Map) return found;
  throw notOfType(path, found, 'java.util.Map');
}
