export type { EventValue, LogEvent } from '@shoal/agent-event';
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
} from '@shoal/agent-plugin-kit';
export { checkConfiguration } from './check-configuration.ts';
export { AGENT_SETTINGS } from './settings/agent-settings.ts';
export { type Agent, type AgentOptions, startAgent } from './start-agent.ts';
export type { Difference } from './tester/compare-events.ts';
export { type CoveragePoint, coveredPercent } from './tester/coverage.ts';
export {
  type CaseResult,
  type PipelineTestRun,
  runPipelineTests,
  type TestFileResult,
} from './tester/run-pipeline-tests.ts';
export { THREAD_PROGRAM, threadName } from './workers/thread-program.ts';
