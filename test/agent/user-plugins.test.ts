/**
 * Plugins as users write them: compiled as their page says, loaded by name, run by the agent's process.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgentFolder } from './agent-process.test-support.ts';

const sources = fileURLToPath(new URL('../examples/agent-plugins', import.meta.url));
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const folder = new AgentFolder();

beforeAll(() => {
  const run = spawnSync(process.execPath, [compiler, '-p', sources, '--outDir', join(folder.path, 'plugins')], {
    encoding: 'utf8',
  });
  expect([run.status, run.stdout]).toEqual([0, '']);
  cpSync(join(sources, 'package.json'), join(folder.path, 'plugins/package.json'));
});
afterAll(() => folder.end());

test('the examples run in a pipeline with several workers', async () => {
  folder.write(
    'p.conf',
    `input { countdown { from => 3 every => "1 ms" add_field => { "card" => "1234-5678-9012-3456" } } generator { count => 200 } }
     filter { mask { id => "m" field => "card" add_tag => "masked" } }
     output {
       if [card] { stdout { codec => line { format => "%{message} %{card} %{tags}" } } }
       tally { by => "%{tags}" path => "${folder.path}/tally.json" }
     }`,
  );
  const agent = folder.start(['-f', 'p.conf', '--path.plugins', 'plugins', '-w', '3', '-b', '10']);
  expect(await agent.exit()).toBe(0);
  expect(agent.output.toSorted()).toEqual([0, 1, 2, 3].map((n) => `${n} ****-****-****-3456 masked`));
  expect(JSON.parse(readFileSync(join(folder.path, 'tally.json'), 'utf8'))).toEqual({ masked: 4, '%{tags}': 200 });
  expect(agent.logged('pipeline ended')[0]?.ledger).toMatchObject({ in: 204, out: 204, isBalanced: true });
});

test('their options are checked like all others', async () => {
  const config = 'input { countdown { form => 3 } } filter { mask { keep => "x" } } output { tally { } }';
  const agent = folder.start(['-e', config, '--path.plugins', 'plugins', '-t']);
  expect(await agent.exit()).toBe(1);
  expect(agent.logText()).toContain("did you mean 'from'");
  expect(agent.logText()).toContain('field');
});

test('a codec is one too', async () => {
  folder.write(
    'plugins/shoal-codec-commas.js',
    `export const commas = { kind: 'codec', name: 'commas', version: '1.0.0', options: { between: { type: 'string', default: ',' } },
      create: (options) => ({ name: 'commas', decoder: () => ({ decode: () => [], flush: () => [] }),
        encode: (event) => Buffer.from([...event.fields.keys()].sort().join(options.string('between')) + '\\n') }) };`,
  );
  const config =
    'input { generator { count => 1 } } output { stdout { codec => commas { between => ";" } } stdout { codec => commas } }';
  const agent = folder.start(['-e', config, '--path.plugins', 'plugins']);
  expect(await agent.exit()).toBe(0);
  expect(agent.output.map((line) => line.replace(/@version|@timestamp/g, '').length > 3)).toEqual([true, true]);
  expect(agent.output.toSorted().at(-1)).toContain('event;host;message');
  expect(agent.output.toSorted().at(0)).toContain('event,host,message');
});

test('a package with its own folder is found too, and one without the plugin says so', async () => {
  mkdirSync(join(folder.path, 'more/shoal-filter-mask'), { recursive: true });
  cpSync(join(folder.path, 'plugins/package.json'), join(folder.path, 'more/package.json'));
  cpSync(join(folder.path, 'plugins/shoal-filter-mask.js'), join(folder.path, 'more/shoal-filter-mask/index.js'));
  cpSync(join(folder.path, 'plugins/shoal-filter-mask.js'), join(folder.path, 'more/shoal-filter-other.js'));
  const run = (filter: string): Promise<number | null> => {
    const config = `input { generator { count => 1 } } filter { ${filter} { field => "message" } } output { null { } }`;
    last = folder.start(['-e', config, '--path.plugins', 'more', '--path.data', 'more-data']);
    return last.exit();
  };
  let last = folder.start(['--help']);
  expect(await run('mask')).toBe(0);
  expect(await run('other')).toBe(1);
  expect(last.logText()).toContain('shoal-filter-other exports no filter plugin named [other]');
  expect(existsSync(join(folder.path, 'more-data/uuid'))).toBe(true);
});
