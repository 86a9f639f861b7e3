/** `append`: adds values to a list; one value becomes a list. */
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { pathTemplate, valueTemplate } from '../../templates/value-template.ts';
import { mediaTypeOf } from './media-type.ts';

export const appendProcessor: ProcessorType = {
  type: 'append',
  create(config) {
    const field = pathTemplate(config.text('field'));
    const value = valueTemplate(config.value('value'), mediaTypeOf(config));
    const allowsDuplicates = config.flag('allow_duplicates', true);
    return simple((document) => document.append(field(document), value(document), { allowsDuplicates }));
  },
};
