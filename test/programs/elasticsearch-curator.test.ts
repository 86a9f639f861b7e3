/**
 * Curator looks after indices: it makes, rolls over, merges, shrinks, names, closes and deletes them, each by rules about their names and age.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask, fetchedProgram, pythonCommand, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('elasticsearch-curator');

const cluster = new ProgramCluster(1);

type Json = Readonly<Record<string, unknown>>;

const pattern = (value: string): Json => ({ filtertype: 'pattern', kind: 'prefix', value });

/** Runs actions as a file of Curator has them. JSON is YAML too. */
async function curate(...actions: readonly Json[]): Promise<void> {
  const config = join(cluster.folder, 'config.yml');
  const file = join(cluster.folder, 'actions.yml');
  writeFileSync(
    config,
    JSON.stringify({ elasticsearch: { client: { hosts: cluster.url } }, logging: { loglevel: 'INFO' } }),
  );
  writeFileSync(file, JSON.stringify({ actions: Object.fromEntries(actions.map((action, i) => [i + 1, action])) }));
  const { status, output } = await runProgram(pythonCommand(program, 'curator'), ['--config', config, file]);
  expect(output).not.toMatch(/ERROR|CRITICAL|Traceback/);
  expect(status, output).toBe(0);
}

async function indices(prefix: string): Promise<readonly string[]> {
  const rows = await ask<readonly { readonly index: string }[]>(
    `${cluster.url}/_cat/indices/${prefix}*?format=json&expand_wildcards=all`,
  );
  return rows.map(({ index }) => index).sort();
}

/** An index of so many documents, each in a segment of its own. */
async function filled(index: string, documents: number, settings: Json = {}): Promise<void> {
  await ask(`${cluster.url}/${index}`, 'PUT', { settings });
  for (let i = 0; i < documents; i++) await ask(`${cluster.url}/${index}/_doc?refresh=true`, 'POST', { i });
}

describe.skipIf(!program.isHere)(program.title, () => {
  beforeEach(async () => {
    for (const index of await indices('c-')) await ask(`${cluster.url}/${index}`, 'DELETE');
  });

  test('creates an index, and rolls its alias over when it is full', async () => {
    const extra = { settings: { number_of_shards: 1, number_of_replicas: 0 }, aliases: { 'c-logs': {} } };
    await curate({ action: 'create_index', options: { name: 'c-logs-000001', extra_settings: extra } });
    for (let i = 0; i < 2; i++) await ask(`${cluster.url}/c-logs/_doc?refresh=true`, 'POST', { i });
    await curate({ action: 'rollover', options: { name: 'c-logs', conditions: { max_docs: 2 } } });
    expect(await indices('c-logs')).toEqual(['c-logs-000001', 'c-logs-000002']);
  });

  test('merges an index down to one segment, and makes it read-only', async () => {
    await filled('c-merge', 4);
    await curate(
      {
        action: 'forcemerge',
        options: { max_num_segments: 1, delay: 0 },
        filters: [pattern('c-merge'), { filtertype: 'forcemerged', max_num_segments: 1, exclude: true }],
      },
      {
        action: 'index_settings',
        options: { index_settings: { index: { blocks: { write: true } } } },
        filters: [pattern('c-merge')],
      },
    );
    expect(await ask(`${cluster.url}/_cat/segments/c-merge?format=json`)).toHaveLength(1);
    expect(await ask(`${cluster.url}/c-merge/_doc`, 'POST', {})).toMatchObject({ status: 403 });
  });

  test('shrinks an index, with its documents and aliases, and deletes the one it was made of', async () => {
    await filled('c-wide', 5, { number_of_shards: 4, number_of_replicas: 0 });
    await ask(`${cluster.url}/c-wide/_alias/c-alias`, 'PUT');
    await curate({
      action: 'shrink',
      options: {
        shrink_node: 'DETERMINISTIC',
        node_filters: { permit_masters: true },
        number_of_shards: 1,
        number_of_replicas: 0,
        shrink_suffix: '-small',
        copy_aliases: true,
        delete_after: true,
        wait_interval: 1,
      },
      filters: [pattern('c-wide')],
    });
    expect(await indices('c-wide')).toEqual(['c-wide-small']);
    expect(await ask(`${cluster.url}/c-alias/_count`)).toMatchObject({ count: 5, _shards: { total: 1 } });
  });

  test('names, closes, opens and deletes indices by the day in their names', async () => {
    for (const day of ['2020.01.01', '2020.01.02', '2999.01.01']) await filled(`c-day-${day}`, 1);
    const old: Json = {
      filtertype: 'age',
      source: 'name',
      direction: 'older',
      timestring: '%Y.%m.%d',
      unit: 'days',
      unit_count: 30,
    };
    await curate({
      action: 'alias',
      options: { name: 'c-old' },
      add: { filters: [pattern('c-day-'), old] },
    });
    expect(await ask(`${cluster.url}/c-old/_count`)).toMatchObject({ count: 2 });
    await curate(
      { action: 'close', filters: [pattern('c-day-'), old] },
      { action: 'open', filters: [pattern('c-day-2020.01.02')] },
      { action: 'delete_indices', filters: [pattern('c-day-'), old, { filtertype: 'opened', exclude: true }] },
    );
    expect(await indices('c-day-')).toEqual(['c-day-2020.01.02', 'c-day-2999.01.01']);
  });

  test('deletes the oldest of a series, by age and by count', async () => {
    for (let n = 1; n <= 4; n++) await filled(`c-series-${n}`, 1);
    const count = { filtertype: 'count', count: 2, use_age: true, source: 'creation_date' };
    await curate({ action: 'delete_indices', filters: [pattern('c-series-'), count] });
    expect(await indices('c-series-')).toEqual(['c-series-3', 'c-series-4']);
  });
});
