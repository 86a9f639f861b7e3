import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readControl } from './control-file.ts';
import { type ControlServer, startControl } from './control-server.ts';

let folder: string;
let server: ControlServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-control-'));
  server = await startControl(folder, { nodes: () => [], restart: () => Promise.resolve() });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What comes back until the connection ends; the text is sent in pieces. */
async function said(...pieces: readonly string[]): Promise<string> {
  const { port = 0 } = (await readControl(folder)) ?? {};
  const socket = createConnection({ host: '127.0.0.1', port });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  for (const piece of pieces) socket.write(piece);
  return new Promise((resolve) => socket.once('error', () => {}).once('close', () => resolve(answer)));
}

test('a command is answered with the secret of the file, in pieces or whole, and not with another', async () => {
  const { secret = '' } = (await readControl(folder)) ?? {};
  const line = `${JSON.stringify({ secret, command: 'nodes' })}\n`;
  expect(JSON.parse(await said(line))).toEqual({ nodes: [] });
  expect(JSON.parse(await said(line.slice(0, 9), line.slice(9)))).toEqual({ nodes: [] });
  expect(await said('{"secret":"x","command":"nodes"}\n')).toContain('the secret is not that of this cluster');
  expect(await said('no JSON\n')).toContain('"error"');
});

test('a line without an end is not kept', async () => {
  expect(await said('x'.repeat(20_000))).toBe('');
});
