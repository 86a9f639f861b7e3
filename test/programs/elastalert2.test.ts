/**
 * ElastAlert 2 asks on a schedule, raises an alert where a rule matches, and writes what it did.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ask, fetchedProgram, pythonCommand, runProgram, startProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('elastalert2');
const POLL_MS = 500;

interface Alerts {
  readonly hits: { readonly hits: readonly { readonly _source: { readonly rule_name: string } }[] };
}

const cluster = new ProgramCluster(1);

const rules = {
  frequency: { type: 'frequency', num_events: 3, timeframe: { hours: 4 }, filter: [{ term: { level: 'error' } }] },
  silence: {
    type: 'flatline',
    threshold: 1,
    timeframe: { minutes: 5 },
    filter: [{ query: { query_string: { query: 'level:none' } } }],
  },
  cardinality: { type: 'cardinality', cardinality_field: 'host.keyword', max_cardinality: 1, timeframe: { hours: 1 } },
  terms: {
    type: 'metric_aggregation',
    metric_agg_key: 'ms',
    metric_agg_type: 'max',
    max_threshold: 10,
    query_key: 'host.keyword',
  },
};

const second = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');

describe.skipIf(!program.isHere)(program.title, () => {
  test('alerts where events are too many, too different, or too slow', async () => {
    mkdirSync(join(cluster.folder, 'rules'));
    const config = join(cluster.folder, 'config.json');
    const { hostname, port } = new URL(cluster.url);
    writeFileSync(
      config,
      JSON.stringify({
        rules_folder: join(cluster.folder, 'rules'),
        run_every: { seconds: 1 },
        buffer_time: { minutes: 15 },
        es_host: hostname,
        es_port: Number(port),
        writeback_index: 'alerts',
        alert_time_limit: { days: 2 },
      }),
    );
    for (const [name, rule] of Object.entries(rules)) {
      const whole = { name, index: 'events*', alert: ['debug'], filter: [], ...rule };
      writeFileSync(join(cluster.folder, 'rules', `${name}.yaml`), JSON.stringify(whole));
    }
    const now = Date.now();
    for (const [n, level] of ['error', 'error', 'info', 'error'].entries()) {
      const event = { '@timestamp': new Date(now - n * 1000).toISOString(), level, host: `h${n % 2}`, ms: n * 10 };
      await ask(`${cluster.url}/events/_doc?refresh=true`, 'POST', event);
    }
    const creating = ['--config', config, '--index', 'alerts', '--old-index', '', '--recreate', 'True'];
    const created = await runProgram(pythonCommand(program, 'elastalert-create-index'), creating, {
      cwd: cluster.folder,
    });
    expect(created, created.output).toMatchObject({ status: 0 });
    const begin = ['--config', config, '--verbose', '--start', second(now - 3_600_000)];
    const alerting = startProgram(pythonCommand(program, 'elastalert'), begin, { cwd: cluster.folder });
    const fired = new Set<string>();
    while (fired.size < Object.keys(rules).length && alerting.process.exitCode === null) {
      await setTimeout(POLL_MS);
      await ask(`${cluster.url}/alerts/_refresh`, 'POST');
      const alerts = await ask<Alerts>(`${cluster.url}/alerts/_search?size=100&q=alert_sent:true`);
      for (const { _source } of alerts.hits.hits) fired.add(_source.rule_name);
    }
    alerting.process.kill('SIGTERM');
    const { output } = await alerting.end;
    expect(output).toContain('4 rules loaded');
    expect(output).not.toContain('ERROR');
    expect([...fired].sort()).toEqual(['cardinality', 'frequency', 'silence', 'terms']);
  });
});
