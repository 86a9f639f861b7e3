import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll, expect, test } from 'vitest';
import { runPipelineTests } from './run-pipeline-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-ecs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINE = '192.0.2.1 - ann [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 17';

async function differences(setting: string | null, config: string, expected: string): Promise<unknown> {
  const text = `
${setting === null ? '' : `settings: { pipeline.ecs_compatibility: ${setting} }`}
config: |
  ${config}
cases:
  - name: one
    input: '${LINE}'
    expect: [${expected}]
`;
  writeFileSync(join(folder, 'ecs.test.yml'), text);
  const run = await runPipelineTests(createNodeRuntime({ log: createSilentLog(), diskRoot: folder }), {
    paths: ['ecs.test.yml'],
    environment: {},
    hostName: 'h',
    nameFilter: null,
    pluginPaths: '',
  });
  return run.files.flatMap(({ cases }) => cases).flatMap((one) => [...one.failures, ...one.differences]);
}

const MATCH = 'match => { "message" => "%{COMMONAPACHELOG}" }';
const OLD =
  '{ fields: { clientip: 192.0.2.1, auth: ann, response: "200" }, absent: ["[source]", "[event][original]"] }';
const NEW = `{ fields: { "[source][address]": 192.0.2.1, "[http][response][status_code]": 200 }, absent: [clientip] }`;

test.each([
  [null, `filter { grok { ${MATCH} } }`, NEW],
  ['disabled', `filter { grok { ${MATCH} } }`, OLD],
  ['v8', `filter { grok { ${MATCH} } }`, NEW],
  ['v1', `filter { grok { ${MATCH} } }`, NEW],
  ['disabled', `filter { grok { ${MATCH} ecs_compatibility => "v8" } }`, NEW],
  [
    'v8',
    `input { stdin { codec => plain { ecs_compatibility => "disabled" } } } filter { grok { ${MATCH} ecs_compatibility => "disabled" } }`,
    OLD,
  ],
])('with %s: %s', async (setting, config, expected) => {
  expect(await differences(setting, config, expected)).toEqual([]);
});
