/**
 * A rolling restart: one node at a time, the cluster manager last, and after each the cluster is waited for until every index is as well
 * as it was.
 *
 * It changes no setting of the cluster. Delayed allocation holds the place of each copy for the minute that a node may be away, so that
 * nothing is copied; switching allocation off instead would keep new indices and real losses from being healed, and would have to be taken
 * back by somebody who may be gone by then.
 */
import {
  type HealthAnswer,
  isQuorumLostWithout,
  managerName,
  onlyOn,
  processOf,
  type StateAnswer,
  type Statuses,
  statusesOf,
  worseThan,
} from './cluster-view.ts';

export interface RestartedNode {
  readonly name: string;
  readonly command: string;
}

/** What a rolling restart does to the world. */
export interface RestartShell {
  nodes(): Promise<readonly RestartedNode[]>;
  /** Resolves when the ports of the new process listen. */
  restart(name: string): Promise<void>;
  /** Asks any node but one. */
  state(not: string | null): Promise<StateAnswer>;
  /** Answers when so many nodes are there, or after a moment. */
  health(not: string | null, nodes: number | null): Promise<HealthAnswer>;
  pause(): Promise<void>;
  nowMs(): number;
  say(text: string): void;
  /** The user wants it to stop. */
  isInterrupted(): boolean;
}

export interface RestartRules {
  /** Goes on where an index or the cluster manager will be away with a node. */
  readonly isForced: boolean;
  /** Longest wait for the cluster after each node. */
  readonly waitMsMax: number;
}

export type RestartEnd = 'done' | 'interrupted';

/** Throws when it refuses to go on, or when the cluster does not become as it was: the nodes not restarted yet stay as they are. */
export async function rollingRestart(shell: RestartShell, rules: RestartRules): Promise<RestartEnd> {
  const nodes = await shell.nodes();
  const before = await shell.health(null, null);
  const statuses = statusesOf(before);
  const first = await shell.state(null);
  if (!rules.isForced) for (const { name } of nodes) refuseLoss(first, name);
  const waiting = new Set(nodes.map(({ name }) => name));
  while (waiting.size > 0) {
    if (shell.isInterrupted()) return 'interrupted';
    const state = await shell.state(null);
    const name = nextOf(nodes, waiting, managerName(state));
    // Copies may have moved since the first look.
    if (!rules.isForced) refuseLoss(state, name);
    waiting.delete(name);
    const beganMs = shell.nowMs();
    shell.say(`${name}: restarts`);
    await shell.restart(name);
    const wanted = { name, ended: processOf(state, name), nodes: before.number_of_nodes, statuses };
    await untilAsBefore(shell, wanted, rules.waitMsMax);
    shell.say(`${name}: back after ${((shell.nowMs() - beganMs) / 1_000).toFixed(1)} s, every index is as it was`);
  }
  return 'done';
}

/** Coordinators first, the cluster manager last: it hands over once, and not once for each node. */
function nextOf(nodes: readonly RestartedNode[], waiting: ReadonlySet<string>, manager: string | null): string {
  const left = nodes.filter(({ name }) => waiting.has(name));
  const rank = ({ name, command }: RestartedNode): number => (name === manager ? 2 : command === 'coordinator' ? 0 : 1);
  const [next] = [...left].sort((a, b) => rank(a) - rank(b));
  return next?.name ?? '';
}

function refuseLoss(state: StateAnswer, name: string): void {
  const alone = onlyOn(state, name);
  if (alone.length > 0) {
    throw new Error(
      `[${name}] has the only copy of shards of [${alone.join(', ')}], which nobody could search or write while it is away; give them replicas, or go on with --force`,
    );
  }
  if (isQuorumLostWithout(state, name)) {
    throw new Error(
      `without [${name}] the nodes that vote are no majority, and there is no cluster manager while it is away; go on with --force`,
    );
  }
}

interface Wanted {
  readonly name: string;
  /** The process that was the node before. */
  readonly ended: string | null;
  readonly nodes: number;
  readonly statuses: Statuses;
}

async function untilAsBefore(shell: RestartShell, wanted: Wanted, waitMsMax: number): Promise<void> {
  const { name, nodes, statuses } = wanted;
  const deadlineMs = shell.nowMs() + waitMsMax;
  for (;;) {
    // A new process may be quicker than the cluster manager, which has every copy of the old one as started until it misses it.
    const isMissed = processOf(await shell.state(name), name) !== wanted.ended;
    const health = await shell.health(name, nodes);
    const worse = worseThan(statuses, statusesOf(health));
    if (isMissed && health.number_of_nodes >= nodes && worse.length === 0) return;
    if (shell.nowMs() >= deadlineMs) {
      const missing = whatIsMissing(worse, isMissed ? nodes - health.number_of_nodes : null);
      throw new Error(
        `the cluster is not as it was ${waitMsMax / 1_000} s after [${name}] was restarted: ${missing}; [shoal why] says why. The other nodes stay as they are`,
      );
    }
    await shell.pause();
  }
}

/** @param nodesAway null: the process that ended is still taken for the node */
function whatIsMissing(worse: readonly string[], nodesAway: number | null): string {
  if (worse.length > 0) return `[${worse.join(', ')}] are not`;
  return nodesAway === null
    ? 'the cluster manager still has the process that ended'
    : `${nodesAway} nodes are not back`;
}
