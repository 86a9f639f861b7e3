/**
 * winston-elasticsearch writes log lines into an index a day, or into a data stream.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('winston-elasticsearch');

const LOGGING = `
import winston from 'winston';
import { ElasticsearchTransport } from 'winston-elasticsearch';
const [node, options] = process.argv.slice(2);
const transport = new ElasticsearchTransport({ clientOpts: { node }, flushInterval: 5000, ...JSON.parse(options) });
transport.on('error', (error) => { console.log('error', error.message); process.exitCode = 1; });
transport.on('warning', (error) => { console.log('warning', error.message); process.exitCode = 1; });
const logger = winston.createLogger({ transports: [transport] });
logger.info('started', { user: 'ann', n: 1 });
logger.warn('careful', { user: 'bob', n: 2 });
logger.on('finish', async () => { await transport.flush(); await transport.client.close(); process.exit(); });
logger.end();
`;

const cluster = new ProgramCluster(1);

interface Answer {
  readonly hits: { readonly hits: readonly { readonly _index: string; readonly _source: Record<string, unknown> }[] };
}

async function logged(options: object, target: string): Promise<Answer['hits']['hits']> {
  writeFileSync(join(program.home, 'logging.mjs'), LOGGING);
  const args = ['logging.mjs', cluster.url, JSON.stringify(options)];
  expect(await runProgram(process.execPath, args, { cwd: program.home })).toEqual({ status: 0, output: '' });
  await ask(`${cluster.url}/${target}/_refresh`, 'POST');
  return (await ask<Answer>(`${cluster.url}/${target}/_search?sort=fields.n`)).hits.hits;
}

const LINES = [
  { message: 'started', severity: 'info', fields: { user: 'ann', n: 1 } },
  { message: 'careful', severity: 'warn', fields: { user: 'bob', n: 2 } },
];

describe.skipIf(!program.isHere)(program.title, () => {
  test('writes into an index a day, with its own template', async () => {
    const hits = await logged({ indexPrefix: 'app' }, 'app-*');
    expect(hits.map(({ _source }) => _source)).toMatchObject(LINES);
    expect(hits[0]?._index).toMatch(/^app-\d{4}\.\d\d\.\d\d$/);
    expect(await ask(`${cluster.url}/app-*/_mapping`)).toMatchObject({
      [hits[0]?._index as string]: { mappings: { properties: { '@timestamp': { type: 'date' } } } },
    });
  });

  test('writes into a data stream', async () => {
    const template = { index_patterns: ['logs-*-*'], data_stream: {}, priority: 100 };
    await ask(`${cluster.url}/_index_template/logs`, 'PUT', template);
    const hits = await logged({ dataStream: true, index: 'logs-winston-default' }, 'logs-winston-default');
    expect(hits.map(({ _source }) => _source)).toMatchObject(LINES);
    expect(hits[0]?._index).toMatch(/^\.ds-logs-winston-default-\d{4}\.\d\d\.\d\d-000001$/);
  });
});
