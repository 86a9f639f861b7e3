/**
 * Starts an agent in this process: its pipelines, then the monitoring API over them.
 */
import type { Address, Runtime } from '@shoal/runtime';
import { AgentCore } from './agent/agent.ts';
import { readApiSecurity } from './api/server/api-security.ts';
import { type ApiServer, startApiServer } from './api/server/api-server.ts';
import * as all from './settings/agent-settings.ts';
import { withVariables } from './settings/setting-variables.ts';

export interface AgentOptions {
  /** Settings by name, nested or dotted. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** For `${NAME}` in configurations. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostName: string;
}

export interface Agent {
  /** null when `api.enabled` is false. */
  readonly apiAddress: Address | null;
  /** Settles when all pipelines have ended by themselves. */
  readonly finished: Promise<void>;
  /** Reads the configuration again and changes what differs, and tries again what failed. */
  reload(): Promise<void>;
  /** Takes no more, drains, stops. */
  stop(): Promise<void>;
}

/** Rejects when no pipeline can be started, or the port of the API is taken. */
export async function startAgent(runtime: Runtime, options: AgentOptions): Promise<Agent> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.environment)) if (value !== undefined) environment[name] = value;
  const settings = all.AGENT_SETTINGS.parse(withVariables(options.settings, environment));
  // Before a pipeline takes anything: an API that must not be there is no reason to stop one.
  const security = settings.get(all.API_ENABLED) ? await readApiSecurity(runtime, settings) : null;
  const core = new AgentCore(runtime, { settings, environment, hostName: options.hostName });
  await core.start();
  let api: ApiServer | null = null;
  try {
    if (security !== null) api = await startApiServer(core, security);
  } catch (error) {
    await core.stop();
    throw error;
  }
  return {
    apiAddress: api?.address ?? null,
    finished: core.allEnded,
    reload: () => core.reload({ isAskedFor: true }),
    stop: async () => {
      await core.stop();
      await api?.close();
    },
  };
}
