/** `join`: the entries of a list as one text. */

import { illegalArgument } from '@shoal/core';
import { javaText } from '@shoal/script';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import { listAt } from '../../document/ingest-document.ts';

export const joinProcessor: ProcessorType = {
  type: 'join',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const separator = config.text('separator');
    const target = parseFieldPath(config.optionalText('target_field') ?? field.text);
    return simple((document) => {
      const list = listAt(document, field);
      if (list === null) throw illegalArgument(`field [${field.text}] is null, cannot join.`);
      if (list.includes(null)) throw illegalArgument(`value [null] in list field [${field.text}] cannot be joined`);
      document.set(target, list.map(javaText).join(separator));
    });
  },
};
