/**
 * `shoal test-node`: a node for tests in any language, and the fixture of pytest that starts it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { call, runShoal, shoalBinary } from '../support/shoal-process.test-support.ts';

const example = fileURLToPath(new URL('../examples/pytest', import.meta.url));
const LOOK_EVERY_MS = 50;

describe('`shoal test-node --json`', () => {
  test('prints one line when it answers, and nothing is left after a signal', async () => {
    const child = spawn(process.execPath, [shoalBinary, 'test-node', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    endWithTests(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const ready = JSON.parse(line);
    expect(ready).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: child.pid,
    });
    expect((await call(ready.url, 'GET', '/')).status).toBe(200);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(output).toBe(`${line}\n`);
    await expect(call(ready.url, 'GET', '/')).rejects.toThrow();
  });

  test('ends with the program that started it, however that ended', async () => {
    const code = `require('child_process').spawn(process.execPath, [process.argv[1], 'test-node', '--json'], { stdio: ['ignore', 'inherit', 'ignore'] }); setInterval(() => {}, 1e6)`;
    const parent = spawn(process.execPath, ['-e', code, shoalBinary], { stdio: ['ignore', 'pipe', 'inherit'] });
    endWithTests(parent);
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const { url, pid } = JSON.parse(line);
    parent.kill('SIGKILL');
    for (let isThere = true; isThere; await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))) {
      try {
        process.kill(pid, 0);
      } catch {
        isThere = false;
      }
    }
    await expect(call(url, 'GET', '/')).rejects.toThrow();
  });

  test('refuses a setting that does not exist', async () => {
    const { status, stderr } = await runShoal(['test-node', '--set', 'no.such.setting=1']);
    expect(status).toBe(1);
    expect(stderr).toContain('no.such.setting');
  });
});

const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
if (!hasPytest) console.warn('skipped: the example of pytest, for want of python3 with pytest');

describe(`the fixture of pytest${hasPytest ? '' : ' (skipped: no pytest here)'}`, () => {
  test.runIf(hasPytest)('gives tests in Python a node', () => {
    const env = { ...process.env, SHOAL: `'${process.execPath}' '${shoalBinary}'`, PYTHONDONTWRITEBYTECODE: '1' };
    const run = spawnSync('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd: example,
      env,
      encoding: 'utf8',
    });
    expect(run.stdout).toContain('2 passed');
    expect(readdirSync(example).sort()).toEqual(['conftest.py', 'test_shop.py']);
  });
});
