export { AGENT_SETTINGS } from './agent/agent-settings.ts';
export { checkConfiguration } from './agent/check-configuration.ts';
export { type Agent, type AgentOptions, startAgent } from './agent/start-agent.ts';
