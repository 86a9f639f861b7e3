/**
 * Several hosts on one machine: network namespaces on a bridge of their own, in which port 9300 can be blocked.
 *
 * The bridge lives in a namespace too, so that no rule of the machine applies to it and none is changed. As root they are
 * made directly; else inside a user namespace of `unshare -Urnm`, where this user is root. Where neither works,
 * `findPower` says why.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithTests } from '../support/end-with-tests.test-support.ts';

/** A command line to put before others so that they may make namespaces, or why there is none. Released once, at the end. */
export type Power =
  | { readonly kind: 'root'; readonly prefix: readonly string[]; release(): void }
  | { readonly kind: 'userNamespace'; readonly prefix: readonly string[]; release(): void }
  | { readonly kind: 'none'; readonly reason: string };

function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    // Any failure means the same here: this way does not work.
    return false;
  }
}

export async function findPower(): Promise<Power> {
  for (const tool of ['ip', 'nft']) {
    if (!succeeds('sh', ['-c', `command -v ${tool}`]))
      return { kind: 'none', reason: `the command ${tool} is not installed` };
  }
  const trial = `shoal-trial-${process.pid}`;
  if (process.getuid?.() === 0 && succeeds('ip', ['netns', 'add', trial])) {
    execFileSync('ip', ['netns', 'del', trial]);
    return { kind: 'root', prefix: [], release() {} };
  }
  if (!succeeds('unshare', ['-Urnm', 'true']))
    return { kind: 'none', reason: 'neither root nor `unshare -Urnm` can make network namespaces here' };
  // The holder keeps the namespaces alive; `ip netns` wants a /run of its own to write to.
  const holder = spawn(
    'unshare',
    ['-Urnm', 'sh', '-c', 'mount -t tmpfs tmpfs /run && echo up && exec sleep infinity'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  endWithTests(holder);
  await once(holder.stdout, 'data');
  return {
    kind: 'userNamespace',
    prefix: ['nsenter', '-t', String(holder.pid), '-U', '-n', '-m', '--preserve-credentials'],
    release: () => holder.kill('SIGKILL'),
  };
}

export interface HostAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  readonly body: any;
}

const DRIVER = fileURLToPath(new URL('./http-driver.mjs', import.meta.url));

/** Hosts 1..count at 10.77.0.N, and one more from which the test asks them. */
export class Hosts {
  private readonly power: Exclude<Power, { kind: 'none' }>;
  private readonly tag: string;
  private readonly count: number;
  /** Namespaces that are there and must go. */
  private readonly made: string[] = [];
  private driver: ChildProcess | null = null;
  private answers: Interface | null = null;
  private nextId = 1;
  private readonly waiting = new Map<number, (answer: HostAnswer & { failed?: string }) => void>();

  constructor(power: Exclude<Power, { kind: 'none' }>, count: number) {
    this.power = power;
    this.count = count;
    this.tag = `sh${process.pid % 100_000}`;
  }

  private run(command: string, args: readonly string[], input?: string): void {
    const [first = '', ...rest] = [...this.power.prefix, command, ...args];
    execFileSync(first, rest, { stdio: ['pipe', 'ignore', 'pipe'], ...(input === undefined ? {} : { input }) });
  }

  private namespace(host: number | 'switch' | 'control'): string {
    return `${this.tag}-${host}`;
  }

  address(host: number): string {
    return `10.77.0.${host}`;
  }

  /** Leaves nothing behind when it fails. */
  create(): void {
    try {
      this.build();
    } catch (error) {
      for (const name of this.made.splice(0)) this.run('ip', ['netns', 'del', name]);
      throw error;
    }
  }

  private build(): void {
    const sw = this.namespace('switch');
    this.makeNamespace(sw);
    this.run('ip', ['-n', sw, 'link', 'add', 'br0', 'type', 'bridge']);
    this.run('ip', ['-n', sw, 'link', 'set', 'br0', 'up']);
    for (let host = 1; host <= this.count; host++) this.createHost(this.namespace(host), host);
    this.createHost(this.namespace('control'), 200);
    this.startDriver();
  }

  private makeNamespace(name: string): void {
    this.run('ip', ['netns', 'add', name]);
    this.made.push(name);
  }

  private createHost(name: string, lastByte: number): void {
    const sw = this.namespace('switch');
    const port = `p${lastByte}`;
    this.makeNamespace(name);
    this.run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
    this.run('ip', ['-n', sw, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name]);
    this.run('ip', ['-n', sw, 'link', 'set', port, 'master', 'br0', 'up']);
    this.run('ip', ['-n', name, 'addr', 'add', `10.77.0.${lastByte}/24`, 'dev', 'eth0']);
    this.run('ip', ['-n', name, 'link', 'set', 'eth0', 'up']);
  }

  /** Starts a program on a host; the caller ends it by the process it gets. */
  spawn(host: number, command: string, args: readonly string[]): ChildProcess {
    const [first = '', ...rest] = [...this.power.prefix, 'ip', 'netns', 'exec', this.namespace(host), command, ...args];
    const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    endWithTests(child);
    return child;
  }

  /** Cuts a TCP port of a host in both directions. `drop` is silence, `reset` answers at once. Everything else goes on. */
  block(host: number, port: number, how: 'drop' | 'reset' = 'drop'): void {
    // The resets themselves must get out.
    const first = how === 'drop' ? '' : 'tcp flags & rst != 0 accept;';
    const verdict = how === 'drop' ? 'drop' : 'reject with tcp reset';
    const rules = `${first} tcp dport ${port} ${verdict}; tcp sport ${port} ${verdict};`;
    const chain = (hook: string) => `chain ${hook} { type filter hook ${hook} priority 0; policy accept; ${rules} }`;
    this.run(
      'ip',
      ['netns', 'exec', this.namespace(host), 'nft', '-f', '-'],
      `table inet chaos {\n${chain('input')}\n${chain('output')}\n}\n`,
    );
  }

  unblock(host: number): void {
    this.run('ip', ['netns', 'exec', this.namespace(host), 'nft', 'delete', 'table', 'inet', 'chaos']);
  }

  private startDriver(): void {
    const [first = '', ...rest] = [
      ...this.power.prefix,
      'ip',
      'netns',
      'exec',
      this.namespace('control'),
      process.execPath,
      DRIVER,
    ];
    const driver = spawn(first, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
    endWithTests(driver);
    this.driver = driver;
    this.answers = createInterface({ input: driver.stdout });
    this.answers.on('line', (line) => {
      const answer = JSON.parse(line) as HostAnswer & { id: number };
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
  }

  /** An HTTP request to a host's 9200 from the control host; rejects when it cannot be reached. */
  call(host: number, method: string, path: string, body?: string): Promise<HostAnswer> {
    const id = this.nextId++;
    const url = `http://${this.address(host)}:9200${path}`;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, (answer) =>
        answer.failed === undefined ? resolve(answer) : reject(new Error(answer.failed)),
      );
      this.driver?.stdin?.write(`${JSON.stringify({ id, method, url, body })}\n`);
    });
  }

  async destroy(): Promise<void> {
    this.answers?.close();
    if (this.driver !== null) {
      const closed = once(this.driver, 'close');
      this.driver.kill('SIGKILL');
      await closed;
    }
    for (const name of this.made.splice(0)) this.run('ip', ['netns', 'del', name]);
  }
}
