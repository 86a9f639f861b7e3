/**
 * The examples of `shoal/testing` with vitest, jest, mocha and node:test, run against the package that users install, with the runners that
 * `scripts/fetch-programs.mjs` fetched.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchedProgram, npmCommand, type ProgramRun, runProgram } from '../programs/fetched-program.test-support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = fetchedProgram('test-runners');
const node24 = fetchedProgram('node-24');
const folder = mkdtempSync(join(tmpdir(), 'shoal-runners-'));
const project = join(folder, 'project');
/** What a test leaves behind in the system's folder for temporary files. */
const temporary = join(folder, 'temporary');
const FILES = 8;
const NO_NETWORK = /E(?:NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH)/;
let unreachable: string | null = null;

if (!program.isHere) console.warn(`skipped: ${program.title}`);

beforeAll(async () => {
  if (!program.isHere) return;
  mkdirSync(temporary);
  const packed = await runProgram(process.execPath, [join(root, 'scripts/pack.mjs'), '--out', folder]);
  expect(packed.status, packed.output).toBe(0);
  cpSync(join(root, 'test/examples/runners'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const installed = await runProgram('npm', ['install', '--no-audit', '--no-fund', join(folder, file)], {
    cwd: project,
  });
  // Above the project: what it does not have itself is found there.
  symlinkSync(join(program.home, 'node_modules'), join(folder, 'node_modules'));
  if (installed.status === 0) return;
  unreachable = NO_NETWORK.exec(installed.output)?.[0] ?? null;
  expect(unreachable, installed.output).not.toBeNull();
  console.warn(`the registry of npm is not reachable (${unreachable}): the examples of the runners are not run`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runnerTest(name: string, body: () => Promise<void>): void {
  test.skipIf(!program.isHere)(name, async ({ skip }) => {
    if (unreachable !== null) skip(`not installed: ${unreachable}`);
    await body();
  });
}

/** Environment of a runner that knows nothing of the one that runs this. */
const outside = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(VITEST|JEST|NODE_TEST|TEST|NODE_ENV|NODE_OPTIONS)/.test(name))
    .map((name) => [name, undefined]),
);

interface Runner {
  readonly command: string;
  readonly args: readonly string[];
}
const runners = {
  vitest: { command: npmCommand(program, 'vitest'), args: ['run', `--maxWorkers=${FILES}`] },
  jest: { command: npmCommand(program, 'jest'), args: [`--maxWorkers=${FILES}`] },
  mocha: { command: npmCommand(program, 'mocha'), args: [`--jobs=${FILES}`] },
  'node-test': { command: process.execPath, args: ['--test', '--test-reporter=tap'] },
} satisfies Readonly<Record<string, Runner>>;

function run(runner: keyof typeof runners, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramRun> {
  const { command, args: first } = runners[runner];
  const cwd = join(project, runner);
  return runProgram(command, [...first, ...args], { cwd, env: { ...outside, TMPDIR: temporary, ...env } });
}

const VM_MODULES = { NODE_OPTIONS: '--experimental-vm-modules' };

describe('the example of', () => {
  runnerTest('vitest', async () => {
    const { status, output } = await run('vitest', []);
    expect(status, output).toBe(0);
    expect(output).toMatch(/Tests\s+4 passed/);
  });

  runnerTest('jest, in CommonJS without a flag', async () => {
    const { status, output } = await run('jest', ['spec.cjs']);
    expect(status, output).toBe(0);
    expect(output).toMatch(/Tests:\s+4 passed/);
  });

  runnerTest('jest, in ES modules', async () => {
    const { status, output } = await run('jest', ['spec.mjs'], VM_MODULES);
    expect(status, output).toBe(0);
    expect(output).toMatch(/Tests:\s+2 passed/);
  });

  runnerTest('mocha, in both, in parallel and one after the other', async () => {
    for (const args of [[], ['--no-parallel']]) {
      const { status, output } = await run('mocha', args);
      expect(status, output).toBe(0);
      expect(output).toContain('6 passing');
    }
  });

  runnerTest('node:test, in both', async () => {
    const { status, output } = await run('node-test', ['books.spec.mjs', 'books.spec.cjs']);
    expect(status, output).toBe(0);
    expect(output).toMatch(/# pass 4\n# fail 0/);
  });

  test.skipIf(!node24.isHere)(`node:test with a global set-up, on ${node24.title}`, async ({ skip }) => {
    if (!program.isHere || unreachable !== null) skip('not installed');
    const args = ['--test', '--test-reporter=tap', '--test-global-setup=shoal-run.mjs', 'of-run.spec.mjs'];
    const { status, output } = await runProgram(npmCommand(node24, 'node'), args, {
      cwd: join(project, 'node-test'),
      env: outside,
    });
    expect(status, output).toBe(0);
    expect(output).toMatch(/# pass 2\n# fail 0/);
  });
});

/** Answers nobody before all files have come, each with the address of its node. */
async function meeting(): Promise<{ readonly url: string; readonly came: readonly string[]; close(): void }> {
  const came: string[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    came.push(new URL(request.url ?? '', 'http://x').searchParams.get('node') ?? '');
    waiting.push(response);
    if (came.length === FILES) for (const each of waiting) each.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, came, close: () => server.close() };
}

/** A test that writes, waits for those of all other files, and has what it wrote and what `setup` wrote. */
const MEETS = (url: string) => `
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  for (let n = 0; n < 3; n++) await fetch(${url} + '/books/_doc', post);
  await fetch(process.env.MEETING + '/?node=' + ${url});
  const { count } = await (await fetch(${url} + '/books/_count')).json();
  if (count !== 4) throw new Error('documents: ' + count);
`;
const LOAD = `{ setup: (node) => node.load([{ isbn: 'a' }], { index: 'books', id: 'isbn' }) }`;
const MOCHA = (use: string, node: string) =>
  `import { useShoal, useShoalOfRun } from 'shoal/testing/mocha'; const shoal = ${use};
   it('meets', async function () { this.timeout(200000); ${MEETS(node)} });`;

const PARALLEL: readonly {
  title: string;
  runner: keyof typeof runners;
  file: string;
  text: string;
  args?: string[];
}[] = [
  {
    title: 'vitest, a node each',
    runner: 'vitest',
    file: 'mjs',
    text: `import { test } from './shop-test.mjs'; test('meets', { timeout: 200000 }, async ({ shoal }) => { ${MEETS('shoal.url')} });`,
  },
  {
    title: 'vitest, nodes of the run',
    runner: 'vitest',
    file: 'mjs',
    text: `import { test } from 'vitest'; import { shoalOfRunFixtures } from 'shoal/testing/vitest';
        test.extend(shoalOfRunFixtures())('meets', { timeout: 200000 }, async ({ shoal }) => { ${MEETS('shoal.url')} });`,
  },
  {
    title: 'jest, a node each',
    runner: 'jest',
    file: 'cjs',
    text: `test('meets', async () => { ${MEETS('shoal.url')} }, 200000);`,
  },
  {
    title: 'jest, nodes of the run',
    runner: 'jest',
    file: 'cjs',
    text: `/** @jest-environment ./environment-of-run.mjs */
        test('meets', async () => { ${MEETS('shoal.url')} }, 200000);`,
  },
  { title: 'mocha, a node each', runner: 'mocha', file: 'mjs', text: MOCHA(`useShoal(${LOAD})`, 'shoal.node.url') },
  { title: 'mocha, nodes of the run', runner: 'mocha', file: 'mjs', text: MOCHA('useShoalOfRun()', 'shoal.url') },
  {
    title: 'node:test, a node each',
    runner: 'node-test',
    file: 'mjs',
    args: [`--test-concurrency=${FILES}`],
    text: `import { it } from 'node:test'; import { useShoal } from 'shoal/testing/node-test';
        const shoal = useShoal(${LOAD}); it('meets', async () => { ${MEETS('shoal.node.url')} });`,
  },
];

describe(`${FILES} files at once share nothing`, () => {
  for (const { title, runner, file, text, args = [] } of PARALLEL) {
    runnerTest(title, async () => {
      const names = Array.from({ length: FILES }, (_, n) => `meets-${n}.spec.${file}`);
      for (const name of names) writeFileSync(join(project, runner, name), text);
      // Mocha adds those that are named to those of its configuration.
      const chosen = runner === 'mocha' ? ['--ignore=books.*', '--ignore=of-run.*'] : names;
      const place = await meeting();
      const { status, output } = await run(runner, [...args, ...chosen], { MEETING: place.url });
      place.close();
      for (const name of names) rmSync(join(project, runner, name));
      expect(status, output).toBe(0);
      expect(new Set(place.came).size, output).toBe(FILES);
      expect(readdirSync(temporary).filter((name) => /shoal/i.test(name))).toEqual([]);
    });
  }
});

/** A file whose test starts a node, opens its port, and closes nothing. */
const FORGET = `
  async function forget() {
    const { startShoal } = await import('shoal/testing');
    const node = await startShoal();
    await fetch(node.url + '/books/_doc/1', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' });
    process.stderr.write('port of the node: ' + new URL(node.url).port + '\\n');
  }
`;

function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}

describe('a file that forgets to close its node ends, and leaves no port and no file', () => {
  const files: readonly { runner: keyof typeof runners; text: string; args: string[]; env?: NodeJS.ProcessEnv }[] = [
    { runner: 'vitest', text: `import { test } from 'vitest'; test('forgets', forget, 200000);`, args: ['forgets'] },
    {
      runner: 'jest',
      text: `import { test } from '@jest/globals'; test('forgets', forget, 200000);`,
      args: ['forgets', '--testEnvironment=node'],
      env: VM_MODULES,
    },
    {
      runner: 'mocha',
      text: `it('forgets', function () { this.timeout(200000); return forget(); });`,
      args: ['--no-parallel', '--ignore=books.*', '--ignore=of-run.*'],
    },
    { runner: 'node-test', text: `import { it } from 'node:test'; it('forgets', forget);`, args: ['forgets.spec.mjs'] },
  ];

  for (const { runner, text, args, env = {} } of files) {
    runnerTest(runner, async () => {
      // Vitest keeps its own results in `node_modules`.
      const left = () => readdirSync(join(project, runner)).filter((name) => name !== 'node_modules');
      const before = left();
      writeFileSync(join(project, runner, 'forgets.spec.mjs'), `${text}\n${FORGET}`);
      const { status, output } = await run(runner, args, env);
      rmSync(join(project, runner, 'forgets.spec.mjs'));
      expect(status, output).toBe(0);
      const port = Number(/port of the node: (\d+)/.exec(output)?.[1]);
      expect(await refuses(port), output).toBe(true);
      expect(left()).toEqual(before);
      expect(readdirSync(temporary).filter((name) => /shoal/i.test(name))).toEqual([]);
    });
  }
});

describe('the types of the runners', () => {
  runnerTest('compile with vitest alone, and where there is no runner at all', async () => {
    const strict = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, lib: ['es2023', 'dom'] };
    const compile = (file: string, text: string): string => {
      writeFileSync(join(project, file), text);
      const options = Object.entries({ ...strict, skipLibCheck: true, types: '' }).flatMap(([name, value]) =>
        name === 'types' ? [] : [`--${name}`, Array.isArray(value) ? value.join(',') : String(value)],
      );
      return spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, '--pretty', 'false', '--ignoreConfig', file], {
        cwd: project,
        encoding: 'utf8',
      }).stdout;
    };
    const doors = ['vitest', 'jest', 'mocha', 'node-test'].map((name) => `import 'shoal/testing/${name}';`).join('\n');
    expect(compile('doors.ts', doors)).toBe('');
    const page = readFileSync(join(root, 'docs/testing-your-application.md'), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    const shown = blocks.find((code) => code.includes('shoal/testing/vitest'));
    const fixtures = `${shown}
      test('of a node', async ({ shoal }) => { shoal.requests.length satisfies number; });
      const more = test.extend<{ es: URL }>({ es: async ({ shoal }, use) => { await use(new URL(shoal.url)); } });
      more('of more', ({ es, shoal }) => { es.port satisfies string; void shoal.report(); });
      import { type ShoalContext, shoalOfRunFixtures } from 'shoal/testing/vitest';
      base.extend(shoalOfRunFixtures())('of the run', ({ shoal }) => { shoal.url satisfies string; });
      base.extend<ShoalContext>(shoalFixtures())('told', ({ shoal }) => { void shoal.report(); });`;
    expect(compile('fixtures.ts', fixtures)).toBe('');
    const wrong = (code: string): string => compile('wrong.ts', `${fixtures} ${code}`);
    expect(wrong(`test('x', ({ shoal }) => { void shoal.fetsh('/'); });`)).toContain('fetsh');
    expect(wrong(`base.extend(shoalOfRunFixtures())('x', ({ shoal }) => { shoal.fetch; });`)).toContain('fetch');
  });
});
