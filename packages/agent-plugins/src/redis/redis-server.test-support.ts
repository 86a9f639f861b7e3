/**
 * A Redis server for one test, behind a door that can be shut: connections go through a port of our own, since Redis cannot
 * listen on a port of the system's choice.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openBreakablePort } from '../breakable-port.test-support.ts';
import { temporaryFolder } from '../plugin-instance.test-support.ts';
import { connectRedis, type RedisConnection } from './redis-client.ts';

export interface RedisServer {
  readonly port: number;
  readonly path: string;
  readonly client: RedisConnection;
  /** Breaks every connection that goes through the port. */
  breakConnections(): void;
}

/** Why there is no Redis here; null when there is. */
export async function whyNoRedis(): Promise<string | null> {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'the command redis-server is not installed';
  }
  try {
    await import('redis' as string);
    return null;
  } catch {
    return 'the package redis is not installed';
  }
}

export async function startRedis(...options: readonly string[]): Promise<RedisServer> {
  const folder = await temporaryFolder();
  const path = join(folder, 'redis.sock');
  const settings = ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder, ...options];
  const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => end(child));
  await ready(child);
  const door = await openBreakablePort(() => connect(path));
  const password = options[options.indexOf('--requirepass') + 1] ?? null;
  const client = await connectRedis(
    {
      at: { path },
      database: 0,
      password: options.includes('--requirepass') ? password : null,
      isTls: false,
      timeoutMs: 60_000,
    },
    'test',
  );
  onTestFinished(() => {
    client.close();
    door.close();
  });
  return {
    port: door.port,
    path,
    client,
    breakConnections: door.shut,
  };
}

async function ready(child: ChildProcess): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`redis-server ended: ${text}`)));
    child.stdout?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (/ready to accept connections|The server is now ready/i.test(text)) resolve();
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
