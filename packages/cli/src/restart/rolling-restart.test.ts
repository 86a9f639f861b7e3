import { describe, expect, test } from 'vitest';
import type { HealthAnswer, StateAnswer, Status } from './cluster-view.ts';
import { type RestartShell, rollingRestart } from './rolling-restart.ts';

/** A cluster of named nodes with one index, whose copies are on some of them. */
class FakeShell implements RestartShell {
  readonly done: string[] = [];
  readonly said: string[] = [];
  manager = 'data-1';
  holders: readonly string[] = ['data-1', 'data-2'];
  /** Looks at the health after a restart until the index is green again; for ever: it never is. */
  yellowLooks = 2;
  status: Status = 'green';
  interruptedAfter = Number.POSITIVE_INFINITY;
  names = ['coordinator-1', 'data-1', 'data-2', 'data-3'];
  /** Looks after a restart at which the cluster manager still has the old process, with all that was on it. */
  unmissedLooks = 0;
  #looksLeft = 0;
  #unmissedLeft = 0;
  #nowMs = 0;

  nodes = async () =>
    this.names.map((name) => ({ name, command: name.startsWith('coordinator') ? 'coordinator' : 'data-node' }));

  restart = async (name: string): Promise<void> => {
    this.done.push(name);
    this.#looksLeft = this.yellowLooks;
    this.#unmissedLeft = this.unmissedLooks;
    if (name === this.manager) this.manager = 'data-3';
  };

  #processOf(name: string): string {
    const restarts = this.done.filter((done) => done === name).length;
    const isUnmissed = name === this.done.at(-1) && this.#unmissedLeft > 0;
    return `${name} ${isUnmissed ? restarts - 1 : restarts}`;
  }

  state = async (): Promise<StateAnswer> => ({
    master_node: this.manager,
    nodes: Object.fromEntries(this.names.map((name) => [name, { name, ephemeral_id: this.#processOf(name) }])),
    routing_table: {
      indices: { lib: { shards: { 0: this.holders.map((node) => ({ state: 'STARTED', node })) } } },
    },
    metadata: {
      cluster_coordination: { last_committed_config: this.names.filter((name) => name.startsWith('data')) },
    },
  });

  health = async (): Promise<HealthAnswer> => {
    if (this.#unmissedLeft > 0) {
      this.#unmissedLeft--;
      return { number_of_nodes: this.names.length, indices: { lib: { status: this.status } } };
    }
    const isBehind = this.#looksLeft > 0;
    if (isBehind) this.#looksLeft--;
    return { number_of_nodes: this.names.length, indices: { lib: { status: isBehind ? 'red' : this.status } } };
  };

  pause = async (): Promise<void> => {
    this.#nowMs += 1_000;
  };

  nowMs = () => this.#nowMs;
  say = (text: string) => void this.said.push(text);
  isInterrupted = () => this.done.length >= this.interruptedAfter;
}

const RULES = { isForced: false, waitMsMax: 10_000 };

describe('a rolling restart', () => {
  test('restarts each node once, coordinators first, the cluster manager last', async () => {
    const shell = new FakeShell();
    expect(await rollingRestart(shell, RULES)).toBe('done');
    expect(shell.done).toEqual(['coordinator-1', 'data-2', 'data-3', 'data-1']);
  });

  test('believes no health that tells of the process that ended', async () => {
    const shell = new FakeShell();
    shell.unmissedLooks = 2;
    expect(await rollingRestart(shell, RULES)).toBe('done');
    expect(shell.said.filter((text) => text.includes('back after'))).toEqual(
      shell.done.map((name) => `${name}: back after 4.0 s, every index is as it was`),
    );
    shell.unmissedLooks = Number.POSITIVE_INFINITY;
    await expect(rollingRestart(shell, RULES)).rejects.toThrow('still has the process that ended');
  });

  test('waits for what was there before, and no more', async () => {
    const shell = new FakeShell();
    shell.status = 'yellow';
    expect(await rollingRestart(shell, RULES)).toBe('done');
    expect(shell.said.at(-1)).toBe('data-1: back after 2.0 s, every index is as it was');
  });

  test('ends where the cluster does not become as it was, and leaves the other nodes alone', async () => {
    const shell = new FakeShell();
    shell.yellowLooks = Number.POSITIVE_INFINITY;
    await expect(rollingRestart(shell, RULES)).rejects.toThrow(
      'the cluster is not as it was 10 s after [coordinator-1] was restarted: [lib] are not; [shoal why] says why',
    );
    expect(shell.done).toEqual(['coordinator-1']);
  });

  test('refuses before it begins where an index has its only copy on one node, unless it is forced', async () => {
    const shell = new FakeShell();
    shell.holders = ['data-3'];
    await expect(rollingRestart(shell, RULES)).rejects.toThrow('[data-3] has the only copy of shards of [lib]');
    expect(shell.done).toEqual([]);
    expect(await rollingRestart(shell, { ...RULES, isForced: true })).toBe('done');
    expect(shell.done).toHaveLength(4);
  });

  test('refuses where the nodes that vote would be no majority', async () => {
    const shell = new FakeShell();
    shell.names = ['coordinator-1', 'data-1'];
    shell.holders = [];
    await expect(rollingRestart(shell, RULES)).rejects.toThrow('without [data-1] the nodes that vote are no majority');
  });

  test('stops between two nodes when it is interrupted', async () => {
    const shell = new FakeShell();
    shell.interruptedAfter = 2;
    expect(await rollingRestart(shell, RULES)).toBe('interrupted');
    expect(shell.done).toEqual(['coordinator-1', 'data-2']);
  });
});
