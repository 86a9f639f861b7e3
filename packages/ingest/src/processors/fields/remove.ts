/** `remove`: takes fields out of the document. */
import { illegalArgument } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import type { FieldPath } from '../../document/field-path.ts';
import { METADATA_FIELDS } from '../../document/ingest-document.ts';
import { pathTemplate } from '../../templates/value-template.ts';

/** A document without these is none. */
const KEPT: readonly string[] = ['_index', '_version', '_version_type'];

export const removeProcessor: ProcessorType = {
  type: 'remove',
  create(config) {
    const named = config.value('field');
    const names = Array.isArray(named) ? named : [named];
    const fields = names.map((name) => {
      if (typeof name !== 'string') throw config.error('field', "property isn't a string or a list of strings");
      return pathTemplate(name);
    });
    const ignoresMissing = config.flag('ignore_missing', false);
    return simple((document) => {
      for (const field of fields) {
        const path = field(document);
        if (isKept(path)) throw illegalArgument(`cannot remove metadata field [${path.text}]`);
        if (!ignoresMissing || document.has(path)) document.remove(path);
      }
    });
  },
};

function isKept({ root, elements }: FieldPath): boolean {
  const [name = ''] = elements;
  return root === 'document' && elements.length === 1 && KEPT.includes(name) && METADATA_FIELDS.some((f) => f === name);
}
