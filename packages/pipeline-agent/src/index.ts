export { AGENT_SETTINGS } from './agent/agent-settings.ts';
export { checkConfiguration } from './agent/check-configuration.ts';
export { type Agent, type AgentOptions, startAgent } from './agent/start-agent.ts';
export type { EventValue } from './event/event-value.ts';
export type { LogEvent } from './event/log-event.ts';
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
