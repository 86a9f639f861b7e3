/** `pipeline`: runs another pipeline. */
import type { ProcessorType } from '../../contract/processor.ts';

export const pipelineProcessor: ProcessorType = {
  type: 'pipeline',
  create(config) {
    const name = config.textTemplate('name');
    const ignoresMissing = config.flag('ignore_missing_pipeline', false);
    return {
      kind: 'stepped',
      steps: (document, run) => run.runPipeline(name(document), document, ignoresMissing),
    };
  },
};
