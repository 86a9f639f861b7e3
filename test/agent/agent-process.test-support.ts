/**
 * The agent as a process of its own: started on a folder, watched through its log and its monitoring API, ended by signals.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { shoalBinary } from '../support/shoal-process.test-support.ts';

const WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 20;

export type LogLine = Readonly<Record<string, unknown>> & { readonly message?: string };

/** Folders of one test, with the agents that ran in them; `end` leaves nothing of either. */
export class AgentFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), 'shoal-agent-'));
  private readonly agents: AgentProcess[] = [];

  /** Writes a file and gives its path. */
  write(name: string, text: string): string {
    writeFileSync(join(this.path, name), text);
    return join(this.path, name);
  }

  /** Whole lines of a file; none while there is no file. */
  lines(name: string): readonly string[] {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  }

  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): AgentProcess {
    const agent = new AgentProcess(this.path, args, environment);
    this.agents.push(agent);
    return agent;
  }

  async end(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.end('SIGKILL')));
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class AgentProcess {
  readonly log: LogLine[] = [];
  readonly output: string[] = [];
  /** Address of the monitoring API; set when it listens. */
  url = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;

  /** It runs in `folder`, with its data there and its plugins from there. */
  constructor(folder: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
    const own = ['agent', '--path.data', 'data', '--path.plugins', '.', '--api.http.port', '0'];
    this.child = spawn(process.execPath, [shoalBinary, ...own, ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    endWithTests(this.child);
    this.closed = once(this.child, 'close');
    this.child.on('message', (message: { readonly event: string; readonly http: string }) => {
      if (message.event === 'listening') this.url = `http://${message.http}`;
    });
    if (this.child.stdout !== null) createInterface(this.child.stdout).on('line', (line) => this.output.push(line));
    if (this.child.stderr !== null)
      createInterface(this.child.stderr).on('line', (line) => this.log.push(parsed(line)));
  }

  /** What it waits for will not come any more. */
  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Its exit status; null when a signal ended it. */
  async exit(): Promise<number | null> {
    await this.closed;
    return this.child.exitCode;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.exit();
  }

  async listening(): Promise<this> {
    await until(() => this.url !== '' || this.child.exitCode !== null, this, 'listens');
    if (this.url === '') throw new Error(`the agent ended: ${this.logText()}`);
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  async get(path: string): Promise<any> {
    return (await fetch(this.url + path)).json();
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  async pipeline(id = 'main'): Promise<any> {
    return (await this.get(`/_node/stats/pipelines/${id}`)).pipelines[id];
  }

  logged(message: string): readonly LogLine[] {
    return this.log.filter((line) => line.message?.includes(message) === true);
  }

  async untilLogged(message: string): Promise<LogLine> {
    await until(() => this.logged(message).length > 0, this, `logs [${message}]`);
    return this.logged(message)[0] ?? {};
  }

  logText(): string {
    return this.log.map((line) => JSON.stringify(line)).join('\n');
  }
}

/** Looks until it holds; a failure shows what the agent logged. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  agent: AgentProcess | null,
  what: string,
): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  // Nothing comes from a process that has ended, but what it wrote last may be seen only now.
  for (let isLast = false; !(await holds()); isLast = agent?.hasEnded === true) {
    if (isLast) throw new Error(`the agent ended before: ${what}\n${agent?.logText() ?? ''}`);
    if (performance.now() > endMs) throw new Error(`not within ${WITHIN_MS} ms: ${what}\n${agent?.logText() ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Numbers `from` to below `to`, as text. */
export function numbers(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, i) => String(from + i));
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { message: line };
  }
}
