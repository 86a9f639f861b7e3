export { codecPlugins } from './codecs/codec-list.ts';
export { filterPlugins } from './filters/filter-list.ts';
export { deadLetterInput } from './inputs/dead-letter-queue/dead-letter-queue.ts';
export { inputPlugins } from './inputs/input-list.ts';
export { pipelineInput } from './inputs/pipeline/pipeline.ts';
export { outputPlugins } from './outputs/output-list.ts';
export { pipelineOutput } from './outputs/pipeline/pipeline.ts';
