export { codecPlugins } from './codecs/codec-list.ts';
export { filterPlugins } from './filters/filter-list.ts';
export { inputPlugins } from './inputs/input-list.ts';
export { outputPlugins } from './outputs/output-list.ts';
