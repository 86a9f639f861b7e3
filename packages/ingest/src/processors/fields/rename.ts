/** `rename`: moves a field to another place. */
import { illegalArgument } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { pathTemplate } from '../../templates/value-template.ts';

export const renameProcessor: ProcessorType = {
  type: 'rename',
  create(config) {
    const field = pathTemplate(config.text('field'));
    const targetField = pathTemplate(config.text('target_field'));
    const ignoresMissing = config.flag('ignore_missing', false);
    return simple((document) => {
      const path = field(document);
      if (!document.has(path)) {
        if (ignoresMissing) return;
        throw illegalArgument(`field [${path.text}] doesn't exist`);
      }
      const target = targetField(document);
      if (document.has(target)) throw illegalArgument(`field [${target.text}] already exists`);
      const value = document.get(path);
      document.remove(path);
      try {
        document.set(target, value);
      } catch (error) {
        // A failed move leaves the field where it was: whoever handles the failure finds it there.
        document.set(path, value);
        throw error;
      }
    });
  },
};
