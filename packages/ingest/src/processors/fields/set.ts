/** `set`: gives a field a value, that of a template or of another field. */

import { isTemplate } from '@shoal/script';
import type { Processor, ProcessorType } from '../../contract/processor.ts';
import { simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';
import { pathTemplate, type ValueTemplate, valueTemplate } from '../../templates/value-template.ts';
import type { DocumentValue } from '../../values/document-value.ts';
import { mediaTypeOf } from './media-type.ts';

export const setProcessor: ProcessorType = { type: 'set', create: createSet };

interface Source {
  readonly value: ValueTemplate;
  /** Its value differs from document to document, so that `ignore_empty_value` has a meaning. */
  readonly isDynamic: boolean;
}

function createSet(config: ProcessorConfig): Processor {
  const field = pathTemplate(config.text('field'));
  const overrides = config.flag('override', true);
  const ignoresEmpty = config.flag('ignore_empty_value', false);
  const { value, isDynamic } = sourceOf(config, ignoresEmpty);
  return simple((document) => {
    const path = field(document);
    if (!overrides && document.find(path) !== null) return;
    const found = value(document);
    if (ignoresEmpty && isDynamic && (found === null || found === '')) return;
    document.set(path, found);
  });
}

function sourceOf(config: ProcessorConfig, ignoresEmpty: boolean): Source {
  const copiedFrom = config.optionalText('copy_from');
  const mediaType = mediaTypeOf(config);
  if (copiedFrom === null) {
    const configured = config.value('value');
    return { value: valueTemplate(configured, mediaType), isDynamic: holdsTemplate(configured) };
  }
  if (config.has('value')) {
    throw config.error('copy_from', 'cannot set both `copy_from` and `value` in the same processor');
  }
  const from = parseFieldPath(copiedFrom);
  const read = (document: IngestDocument): DocumentValue => (ignoresEmpty ? document.find(from) : document.get(from));
  return { value: (document) => document.copied(read(document)), isDynamic: true };
}

function holdsTemplate(value: DocumentValue): boolean {
  return typeof value === 'string' && isTemplate(value);
}
