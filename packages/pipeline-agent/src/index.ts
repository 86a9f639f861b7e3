export { AGENT_SETTINGS } from './agent/agent-settings.ts';
export { checkConfiguration } from './agent/check-configuration.ts';
export { type Agent, type AgentOptions, startAgent } from './agent/start-agent.ts';
export type { EventValue } from './event/event-value.ts';
export type { LogEvent } from './event/log-event.ts';
export { createGrokTrial, type GrokTrial, type GrokTrialOptions, type GrokTrialResult } from './grok/grok-trial.ts';
export type { Difference } from './pipeline-test/compare-events.ts';
export { type CoveragePoint, coveredPercent } from './pipeline-test/coverage.ts';
export {
  type CaseResult,
  type PipelineTestRun,
  runPipelineTests,
  type TestFileResult,
} from './pipeline-test/run-pipeline-tests.ts';
export type {
  Codec,
  Decoder,
  EventSink,
  Filter,
  FilterOutcome,
  Input,
  Output,
  PluginContext,
  PluginDefinition,
  PluginOptions,
} from './plugin/plugin-definition.ts';
