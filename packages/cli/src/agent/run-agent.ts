/**
 * An agent as this process: signals, exit codes, and what is printed.
 *
 * Events go to stdout and the log to stderr: the output of a pipeline can be piped.
 */
import { hostname } from 'node:os';
import { isAssertionFailure, showHostPort } from '@shoal/core';
import { AGENT_SETTINGS, type Agent, type AgentOptions, checkConfiguration, startAgent } from '@shoal/pipeline-agent';
import { createNodeRuntime, type Log, type Runtime } from '@shoal/runtime';
import { type FlatSettings, gatherSettings } from '../options/setting-sources.ts';
import type { ListeningMessage } from '../processes/child-node.ts';
import type { AgentArguments } from './agent-arguments.ts';
import { type AgentLog, openAgentLog } from './agent-log.ts';
import { startedFirstThread } from './start-first-thread.ts';

/** The exit status of a broken invariant (EX_SOFTWARE), apart from that of a wrong start. */
const EXIT_BROKEN = 70;
const PARENT_ENDED = 'the parent process ended';
/** Time for a clean end after the parent's: nobody is left who would end this process, and a cluster that went with the parent takes no events. */
const ORPHAN_GRACE_MS = 10_000;

export async function runAgent(args: AgentArguments): Promise<void> {
  const settings = await settingsOf(args);
  const agentLog = openAgentLog(settings);
  const { log } = agentLog;
  const runtime = createNodeRuntime({ log, diskRoot: process.cwd(), spareWorker: startedFirstThread() });
  const options: AgentOptions = { settings, environment: process.env, hostName: hostname() };
  if (settings['config.test_and_exit'] === 'true') return testAndExit(runtime, options);
  stopOnBrokenInvariants(log);
  // Before anything starts: whoever hears that the agent listens may send a signal at once.
  const signals = new AgentSignals(agentLog);
  const agent = await startAgent(runtime, options);
  signals.reloadWith(() => agent.reload());
  const { apiAddress } = agent;
  const http = apiAddress === null ? '' : showHostPort(apiAddress);
  const message: ListeningMessage = { event: 'listening', http, transport: '' };
  if (process.connected) process.send?.(message);
  const reason = await untilEnded(agent, signals);
  log.info('agent ends', { reason });
  await agent.stop();
  process.disconnect?.();
  process.exit(0);
}

async function testAndExit(runtime: Runtime, options: AgentOptions): Promise<void> {
  const warnings = await checkConfiguration(runtime, options);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  // What a plugin made and never started must not keep the process.
  process.stdout.write('Configuration OK\n', () => process.exit(0));
}

function settingsOf(args: AgentArguments): Promise<FlatSettings> {
  const folder = args.flags['path.settings'] ?? process.env.SHOAL_PATH_SETTINGS ?? '.';
  return gatherSettings({
    configFile: args.configFile,
    defaultFile: `${folder.replace(/\/+$/, '')}/agent.yml`,
    environment: process.env,
    knownNames: AGENT_SETTINGS.names(),
    flags: args.flags,
    assignments: args.assignments,
  });
}

function stopOnBrokenInvariants(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('stopping on a broken invariant', {
      error: error.stack ?? error.message,
      assertion: isAssertionFailure(error),
    });
    process.exit(EXIT_BROKEN);
  });
}

/**
 * Signals of the process, heard from its start on: one that came too early would end it without a word, or be lost. The first that
 * ends stops the agent, the second one the process.
 */
class AgentSignals {
  /** Resolves with the signal that ends the agent. */
  readonly ended: Promise<string>;
  readonly #log: Log;
  #reload: (() => Promise<void>) | null = null;
  #isReloadDue = false;

  constructor({ log, reopen }: AgentLog) {
    this.#log = log;
    process.on('SIGHUP', () => {
      reopen();
      log.info('reload asked for', { signal: 'SIGHUP' });
      this.#isReloadDue = true;
      this.#reloadIfDue();
    });
    this.ended = new Promise((resolve) => {
      let count = 0;
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.on(signal, () => {
          count++;
          // The second one does not wait for what is stuck.
          if (count > 1) process.exit(1);
          resolve(signal);
        });
      }
    });
  }

  /** From now on there is something to reload; what was asked for before is done now. */
  reloadWith(reload: () => Promise<void>): void {
    this.#reload = reload;
    this.#reloadIfDue();
  }

  #reloadIfDue(): void {
    if (this.#reload === null || !this.#isReloadDue) return;
    this.#isReloadDue = false;
    this.#reload().catch((error: unknown) => this.#log.error('reload failed', { error: String(error) }));
  }
}

/** Resolves with why: a signal, the end of all pipelines, or of the parent that started this process. */
function untilEnded(agent: Agent, signals: AgentSignals): Promise<string> {
  return new Promise((resolve, reject) => {
    signals.ended.then(resolve, reject);
    const orphaned = (): void => {
      // Also when it is stopping already, and waits for a cluster that is no more.
      setTimeout(() => process.exit(1), ORPHAN_GRACE_MS).unref();
      resolve(PARENT_ENDED);
    };
    process.on('disconnect', orphaned);
    // It may have ended while the agent started.
    if (process.send !== undefined && !process.connected) orphaned();
    agent.finished.then(
      () => resolve('finished'),
      (error: unknown) => resolve(String(error)),
    );
  });
}
