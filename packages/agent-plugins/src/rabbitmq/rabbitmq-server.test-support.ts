/**
 * A RabbitMQ server for the tests of one file, in a folder of its own, with a port mapper of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../../test/support/free-port.test-support.ts';
import { isPortOpen, openBreakablePort } from '../breakable-port.test-support.ts';
import type { RabbitConnection } from './rabbitmq-client.ts';

/** The server itself: the command on the path would change the user. */
const PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const PROBE_MS = 200;

export interface RabbitServer {
  /** Goes through a door of our own, which can be shut. */
  readonly port: number;
  connected(): Promise<RabbitConnection>;
  breakConnections(): void;
  end(): Promise<void>;
}

/** Why there is no RabbitMQ here; null when there is. */
export async function whyNoRabbitmq(): Promise<string | null> {
  if (!existsSync(PROGRAM)) return `${PROGRAM} is not installed`;
  try {
    await import('amqplib' as string);
    return null;
  } catch {
    return 'the package amqplib is not installed';
  }
}

/** Ports that were free when they were drawn may be taken when the server opens them: it ends then. */
const ATTEMPTS_MAX = 3;

export async function startRabbitmq(): Promise<RabbitServer> {
  for (let attempt = 1; ; attempt++) {
    const started = await startOnFreePorts();
    if (typeof started !== 'number') return started;
    if (attempt === ATTEMPTS_MAX) throw new Error(`rabbitmq-server ended with ${started}, ${attempt} times`);
  }
}

/** The exit status of a server that ended. */
async function startOnFreePorts(): Promise<RabbitServer | number> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-rabbitmq-'));
  const [port, distributionPort, mapperPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    HOME: folder,
    ERL_EPMD_PORT: String(mapperPort),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_NODENAME: `shoal${port}@localhost`,
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
  };
  // Without it the server would leave one behind that serves the whole machine.
  const mapper = spawn('epmd', ['-port', String(mapperPort)], { stdio: 'ignore' });
  await listening(mapperPort);
  const child = spawn(PROGRAM, [], { env, stdio: 'ignore', detached: true });
  const { connect: connectTo } = (await import('amqplib' as string)) as {
    connect(address: object): Promise<RabbitConnection>;
  };
  const connected = (): Promise<RabbitConnection> => connectTo({ hostname: '127.0.0.1', port });
  for (let isUp = false; !isUp; ) {
    if (child.exitCode !== null) {
      await killed(mapper, () => mapper.kill('SIGKILL'));
      rmSync(folder, { recursive: true, force: true });
      return child.exitCode;
    }
    try {
      await (await connected()).close();
      isUp = true;
    } catch {
      // It opens its port some time after it was started.
      await setTimeout(PROBE_MS);
    }
  }
  const door = await openBreakablePort(() => connect(port, '127.0.0.1'));
  return {
    port: door.port,
    connected,
    breakConnections: door.shut,
    async end() {
      door.close();
      // The script and the machine that it starts are a group.
      await killed(child, () => process.kill(-(child.pid ?? 0), 'SIGKILL'));
      await killed(mapper, () => mapper.kill('SIGKILL'));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listening(port: number): Promise<void> {
  while (!(await isPortOpen(port))) await setTimeout(PROBE_MS);
}

async function killed(child: ChildProcess, kill: () => void): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  kill();
  await exit;
}
