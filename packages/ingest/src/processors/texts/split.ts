/** `split`: a text as the list of its parts. */
import { illegalArgument } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { javaSplit } from '../../values/java-split.ts';
import { regexOption } from './regex-option.ts';

export const splitProcessor: ProcessorType = {
  type: 'split',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const separator = regexOption(config, 'separator');
    const ignoresMissing = config.flag('ignore_missing', false);
    const limit = config.flag('preserve_trailing', false) ? -1 : 0;
    const target = parseFieldPath(config.optionalText('target_field') ?? field.text);
    return simple((document) => {
      const text = ignoresMissing && !document.has(field) ? null : document.text(field);
      if (text === null) {
        if (ignoresMissing) return;
        throw illegalArgument(`field [${field.text}] is null, cannot split.`);
      }
      document.set(target, [...javaSplit(text, separator, limit)]);
    });
  },
};
