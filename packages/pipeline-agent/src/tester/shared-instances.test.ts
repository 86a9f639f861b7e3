import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll, expect, test } from 'vitest';
import { runPipelineTests } from './run-pipeline-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-aggregate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('several aggregate filters of a pipeline work on the same maps', async () => {
  const text = `
config: |
  filter {
    aggregate { task_id => "%{id}" language => "javascript" code => "map.sum = (map.sum ?? 0) + Number(event.get('n'))" }
    if [last] {
      aggregate { task_id => "%{id}" language => "javascript" map_action => "update" end_of_task => true
        code => "event.set('sum', map.sum)" }
    }
  }
cases:
  - name: sums
    input: [{ id: a, n: 1 }, { id: b, n: 5 }, { id: a, n: 2, last: true }]
    expect: [{ fields: { n: 1 } }, { fields: { n: 5 } }, { fields: { sum: 3 } }]
`;
  writeFileSync(join(folder, 'sum.test.yml'), text);
  const run = await runPipelineTests(createNodeRuntime({ log: createSilentLog(), diskRoot: folder }), {
    paths: ['sum.test.yml'],
    environment: {},
    hostName: 'h',
    nameFilter: null,
    pluginPaths: '',
  });
  const [only] = run.files.flatMap(({ cases }) => cases);
  expect([only?.failures, only?.differences]).toEqual([[], []]);
});
