/**
 * Processors that make another value of a text: of the text of a field, or of each text in its list.
 */

import { illegalArgument } from '@shoal/core';
import { javaText } from '@shoal/script';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { notOfType } from '../../document/ingest-document.ts';
import type { DocumentValue } from '../../values/document-value.ts';
import { javaType } from '../../values/java-types.ts';

export type TextChange = (text: string) => DocumentValue;

/** A type with the options `field`, `target_field` and `ignore_missing`, and those that `read` takes. */
export function textProcessorType(type: string, read: (config: ProcessorConfig) => TextChange): ProcessorType {
  return { type, create: (config) => textProcessor(config, read) };
}

function textProcessor(config: ProcessorConfig, read: (config: ProcessorConfig) => TextChange): Processor {
  const field = parseFieldPath(config.text('field'));
  const ignoresMissing = config.flag('ignore_missing', false);
  const targetName = config.optionalText('target_field');
  const target = targetName === null ? field : parseFieldPath(targetName);
  const change = read(config);
  return simple((document) => {
    const value = ignoresMissing ? document.find(field) : document.get(field);
    if (value === null) {
      if (ignoresMissing) return;
      throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
    }
    if (typeof value === 'string') document.set(target, change(value));
    else if (Array.isArray(value)) {
      document.set(
        target,
        value.map((item) => {
          if (typeof item === 'string') return change(item);
          throw illegalArgument(
            `value [${javaText(item)}] of type [${javaType(item)}] in list field [${field.text}] cannot be cast to [java.lang.String]`,
          );
        }),
      );
    } else throw notOfType(field, value, 'java.lang.String');
  });
}
