export type { TextPattern } from './conditions/compile-condition.ts';
export { compileMatchDecoration, type MatchDecoration } from './decorations/decorations.ts';
export { parseConfig } from './grammar/parse-config.ts';
export { checkPlugin } from './options/check-plugin.ts';
export type { PlannedCodec } from './options/checked-options.ts';
export { declaredOptions } from './options/common-options.ts';
export { compilePipeline } from './plan/compile-pipeline.ts';
export { flatPlugins } from './plan/flat-plugins.ts';
export { locateFailure, positionOfText } from './plan/locate-failure.ts';
export type {
  Condition,
  PipelinePlan,
  PlannedFilter,
  PlannedInput,
  PlannedOutput,
  PlannedPlugin,
  Step,
} from './plan/pipeline-plan.ts';
export { ConfigError, type ConfigProblem, problemAt } from './source/config-error.ts';
export type { AttributeNode, ConfigTree, StatementNode } from './source/config-tree.ts';
export { type Position, positionText } from './source/position.ts';
export { SourceText } from './source/source-text.ts';
