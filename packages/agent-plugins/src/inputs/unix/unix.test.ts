import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeInput, type OptionsLiteral, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { plainOf, start } from '../input-under-test.test-support.ts';
import { unixInput } from './unix.ts';

async function newPath(): Promise<string> {
  return join(await temporaryFolder(), 's');
}

async function dial(path: string): Promise<Socket> {
  const socket = connect({ path });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** A runtime whose timers run when the test says so. */
function withTimers() {
  const timers = new Set<() => void>();
  const runtime = createNodeRuntime({ log: createRecordingLog() });
  const after = (_ms: number, run: () => void) => {
    timers.add(run);
    return () => void timers.delete(run);
  };
  return { timers, runtime: { ...runtime, sched: { ...runtime.sched, after } } };
}

/** A server at `path` that sends `text` to whoever connects, and ends. */
async function serve(path: string, text: string): Promise<void> {
  const server = createServer((socket) => socket.end(text));
  onTestFinished(() => void server.close());
  server.listen({ path });
  await once(server, 'listening');
}

describe('the unix input as a server', () => {
  test('lines of each connection become events; the rest comes at its end', async () => {
    const path = await newPath();
    const { sink, input } = await start(unixInput, { path });
    const socket = await dial(path);
    socket.write('one\ntw');
    await sink.until(1);
    socket.end('o');
    await sink.until(2);
    expect(sink.messages()).toEqual(['one', 'two']);
    expect(plainOf(sink)).toEqual({ message: 'one', host: 'tester', path });
    await input.stop();
    expect(existsSync(path)).toBe(false);
  });

  test('the names follow ECS where asked, and what the event says itself stays', async () => {
    const path = await newPath();
    const { sink } = await start(unixInput, { path, codec: 'json' }, { ecs: 'v8' });
    (await dial(path)).end('{"a":1}\n{"host":{"name":"own"},"file":{"path":"mine"}}\n');
    await sink.until(2);
    expect(plainOf(sink)).toMatchObject({ a: 1, host: { name: 'tester' }, file: { path } });
    expect(sink.events[1]?.fields.get('host')).toEqual(new Map([['name', 'own']]));
    expect(sink.events[1]?.fields.get('file')).toEqual(new Map([['path', 'mine']]));
  });

  test('a file in its place is removed only where that is allowed', async () => {
    const path = await newPath();
    await writeFile(path, '');
    await expect(start(unixInput, { path })).rejects.toThrow('EADDRINUSE');
    expect(existsSync(path)).toBe(true);
    const { sink } = await start(unixInput, { path, force_unlink: true });
    (await dial(path)).end('x\n');
    await sink.until(1);
  });

  test('a connection that gives nothing for too long is ended', async () => {
    const path = await newPath();
    const { timers, runtime } = withTimers();
    const { sink } = await start(unixInput, { path, data_timeout: 60 }, { runtime });
    const socket = await dial(path);
    socket.write('one\nrest');
    await sink.until(1);
    await expect.poll(() => timers.size).toBe(1);
    for (const run of timers) run();
    await once(socket.resume(), 'close');
    await sink.until(2);
    expect(sink.messages()).toEqual(['one', 'rest']);
  });

  test('a connection that waits for a full queue is not ended', async () => {
    const path = await newPath();
    const { timers, runtime } = withTimers();
    const { sink } = await start(unixInput, { path, data_timeout: 60 }, { runtime });
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const socket = await dial(path);
    await expect.poll(() => timers.size).toBe(1);
    socket.write('one\n');
    await expect.poll(() => timers.size).toBe(0);
    sink.gate = null;
    open();
    await expect.poll(() => timers.size).toBe(1);
    expect(sink.messages()).toEqual(['one']);
  });
});

describe('the unix input as a client', () => {
  test('reads what a server sends', async () => {
    const path = await newPath();
    await serve(path, 'from server\n');
    const { sink } = await start(unixInput, { path, mode: 'client' });
    await sink.until(1);
    expect(plainOf(sink)).toEqual({ message: 'from server', host: 'tester', path });
  });

  test('waits for a socket that is not there yet', async () => {
    const path = await newPath();
    const log = createRecordingLog();
    const options = { path, mode: 'client', socket_not_present_retry_interval_seconds: 0.02 };
    const { sink } = await start(unixInput, options, { runtime: createNodeRuntime({ log }) });
    await expect.poll(() => log.lines.some((line) => line.message === 'a connection failed')).toBe(true);
    await serve(path, 'late\n');
    await sink.until(1);
    expect(sink.messages()).toEqual(['late']);
  });

  test('stops while it waits', async () => {
    const path = await newPath();
    const log = createRecordingLog();
    const options = { path, mode: 'client', socket_not_present_retry_interval_seconds: -1 };
    const { input } = await start(unixInput, options, { runtime: createNodeRuntime({ log }) });
    await expect.poll(() => log.lines.some((line) => line.message === 'a connection failed')).toBe(true);
    await input.stop();
    expect(log.lines[0]?.message).toContain('its default is used');
  });
});

test('options that cannot work are refused before the unix input starts', () => {
  const make = (options: OptionsLiteral) => makeInput(unixInput, options, testContext());
  expect(() => make({ path: '' })).toThrow('[path] needs');
  expect(() => make({ path: `/${'x'.repeat(107)}` })).toThrow('[path] needs');
  expect(() => make({ path: '/s', data_timeout: 0 })).toThrow('[data_timeout]');
});
