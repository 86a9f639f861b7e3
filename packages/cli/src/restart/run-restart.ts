/**
 * What `shoal restart --rolling` does: asks the running `shoal up` to restart each node, and its nodes how the cluster is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpApi, reasonOf, UnreachableError } from '../http/http-api.ts';
import type { SupervisedNode } from '../processes/control-server.ts';
import type { HealthAnswer, StateAnswer } from './cluster-view.ts';
import { connectControl } from './control-client.ts';
import { type RestartShell, rollingRestart } from './rolling-restart.ts';

export interface RestartOptions {
  readonly rolling?: boolean;
  readonly data: string;
  readonly force?: boolean;
  readonly wait: string;
}

const PAUSE_MS = 250;
/** Wait of one question for nodes that are not there yet. */
const HEALTH_WAIT = '2s';
const WAIT_SECONDS_MAX = 86_400;
/** The exit status of a command that was interrupted. */
const EXIT_INTERRUPTED = 130;

export async function runRestart(options: RestartOptions): Promise<void> {
  if (options.rolling !== true)
    throw new Error('shoal restart wants --rolling: Ctrl-C and shoal up restart all at once');
  const waitMsMax = secondsOf(options.wait) * 1_000;
  const control = await connectControl(options.data);
  const apis = new NodeApis(await control.nodes());
  const interrupted = watchSignals();
  const shell: RestartShell = {
    nodes: () => control.nodes(),
    restart: (name) => control.restart(name),
    state: (not) => apis.ask<StateAnswer>(not, '/_cluster/state/nodes,routing_table,metadata,master_node'),
    health: (not, nodes) =>
      apis.ask<HealthAnswer>(
        not,
        `/_cluster/health?level=indices&expand_wildcards=all${nodes === null ? '' : `&wait_for_nodes=%3E%3D${nodes}&timeout=${HEALTH_WAIT}`}`,
      ),
    pause: () => sleep(PAUSE_MS),
    nowMs: () => performance.now(),
    say: (text) => process.stdout.write(`${text}\n`),
    isInterrupted: interrupted,
  };
  try {
    if ((await rollingRestart(shell, { isForced: options.force === true, waitMsMax })) === 'done') return;
    process.stdout.write('stopped: the other nodes were not restarted\n');
    process.exitCode = EXIT_INTERRUPTED;
  } finally {
    apis.close();
  }
}

/** Whether a signal came. A second one ends the command at once; the node that is being restarted comes back without it. */
function watchSignals(): () => boolean {
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isInterrupted) process.exit(EXIT_INTERRUPTED);
      isInterrupted = true;
      process.stdout.write('stopping after this node\n');
    });
  }
  return () => isInterrupted;
}

/** The HTTP APIs of all nodes: one that is away is passed over. */
class NodeApis {
  readonly #apis: readonly { readonly name: string; readonly api: HttpApi }[];

  constructor(nodes: readonly SupervisedNode[]) {
    this.#apis = nodes.map(({ name, http }) => ({ name, api: new HttpApi(http) }));
  }

  /** The answer of the first node, other than one, that gives one. */
  async ask<Answer>(not: string | null, path: string): Promise<Answer> {
    let last: unknown = new Error('the cluster has no other node to ask');
    for (const { name, api } of this.#apis) {
      // With one node alone there is no other.
      if (name === not && this.#apis.length > 1) continue;
      try {
        const { status, body } = await api.call({ method: 'GET', path });
        // A wait that ended without what was waited for is an answer too.
        if (status < 400 || status === 408) return body as Answer;
        last = new Error(reasonOf(body));
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        last = error;
      }
    }
    throw last;
  }

  close(): void {
    for (const { api } of this.#apis) api.close();
  }
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds > WAIT_SECONDS_MAX)
    throw new Error(`--wait wants seconds, at most ${WAIT_SECONDS_MAX}, found [${text}]`);
  return seconds;
}
