/** `fail`: makes the pipeline fail with a message. */
import { ShoalError } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';

export const failProcessor: ProcessorType = {
  type: 'fail',
  create(config) {
    const message = config.textTemplate('message');
    return simple((document) => {
      throw new ShoalError('fail_processor_exception', 500, message(document));
    });
  },
};
