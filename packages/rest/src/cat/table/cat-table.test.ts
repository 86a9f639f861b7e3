import { clusterHealth } from '@shoal/cluster';
import { runSteps } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_QUEUE } from '../../cluster/pending-tasks-body.ts';
import {
  lib,
  libCopy,
  libStats,
  NODE_ID,
  RECORDED_AT_MS,
  recordedState,
  stateWith,
  unassignedReplica,
} from '../../cluster/recorded-state.test-support.ts';
import { aliasesTable } from '../aliases-table.ts';
import { allocationTable } from '../allocation-table.ts';
import { COUNT_COLUMNS, countTable } from '../count-table.ts';
import { healthTable } from '../health-table.ts';
import { indicesTable } from '../indices-table.ts';
import { managerTable } from '../master-table.ts';
import { nodeRow, nodesTable } from '../nodes-table.ts';
import { shardsTable } from '../shards-table.ts';
import { type CatTable, type CatView, column, renderCatHelp, renderCatRows, renderCatText } from './cat-table.ts';

const plain: CatView = {
  headers: null,
  sort: [],
  isVerbose: false,
  bytes: null,
  time: null,
  showPrimaryTwins: false,
  showTimestamp: true,
};
const verbose: CatView = { ...plain, isVerbose: true };
const GB = 1024 ** 3;
const machine = {
  os: { cpu: { percent: 99, load_average: { '1m': 11.5, '5m': 5.93, '15m': 2.72 } }, mem: { used_percent: 36 } },
  jvm: { mem: { heap_used_percent: 14 } },
  fs: { total: { total_in_bytes: 251.93 * GB, available_in_bytes: 74.35 * GB } },
};
const node = recordedState.nodes.get(NODE_ID) ?? expect.fail('the recorded node');

describe('a recorded table', () => {
  test('_cat/health', () => {
    const table = healthTable(clusterHealth(recordedState, ['lib']), EMPTY_QUEUE, RECORDED_AT_MS);
    expect(renderCatText(table, plain)).toBe('1795253367 09:29:27 peer-19290 green 1 1 1 1 0 0 0 0 - 100.0%\n');
    expect(renderCatText(table, verbose)).toBe(
      'epoch      timestamp cluster    status node.total node.data shards pri relo init unassign pending_tasks max_task_wait_time active_shards_percent\n' +
        '1795253367 09:29:27  peer-19290 green           1         1      1   1    0    0        0             0                  -                100.0%\n',
    );
    expect(renderCatText(table, { ...plain, showTimestamp: false })).toBe(
      'peer-19290 green 1 1 1 1 0 0 0 0 - 100.0%\n',
    );
    const busy = healthTable(clusterHealth(recordedState, ['lib']), { waiting: 2, longestMs: 1_500 }, RECORDED_AT_MS);
    expect(renderCatText(busy, { ...plain, showTimestamp: false })).toBe(
      'peer-19290 green 1 1 1 1 0 0 0 2 1.5s 100.0%\n',
    );
  });

  test('_cat/nodes', () => {
    const row = nodeRow(recordedState, node, {
      stats: machine,
      pid: null,
      httpAddress: null,
      shards: null,
      showFullId: false,
    });
    expect(renderCatText(nodesTable([row]), verbose)).toBe(
      'ip        heap.percent ram.percent cpu load_1m load_5m load_15m node.role master name\n' +
        '127.0.0.1           14          36  99   11.50    5.93     2.72 dimr      *      peer-19290\n',
    );
    expect(renderCatText(nodesTable([row]), { ...verbose, headers: ['id', 'diskUsed', 'dup', 'heap.*'] })).toBe(
      'id   diskUsed   dup heap.current heap.percent heap.max\nC09s  177.5gb 70.49                        14         \n',
    );
  });

  test('_cat/indices', () => {
    const table = runSteps(indicesTable(recordedState, ['lib'], [libStats], null));
    expect(renderCatText(table, verbose)).toBe(
      'health status index uuid                   pri rep docs.count docs.deleted store.size pri.store.size\n' +
        'green  open   lib   gBB1iblQTkmo_D3MU32TBA   1   0          3            5     12.9kb         12.9kb\n',
    );
    expect(renderCatText(table, { ...plain, headers: ['index', 'docs.count', 'store.size'], bytes: 'b' })).toBe(
      'lib 3 13282\n',
    );
    expect(renderCatText(table, { ...verbose, headers: ['i', 'iito'], showPrimaryTwins: true })).toBe(
      'i   iito pri.iito\nlib    5        5\n',
    );
    expect(renderCatText(runSteps(indicesTable(recordedState, ['lib'], [libStats], 'red')), plain)).toBe('');
  });

  test('_cat/indices of a closed index has no numbers', () => {
    const state = stateWith([{ metadata: { ...lib, state: 'close' }, shards: [[libCopy]] }]);
    expect(renderCatText(runSteps(indicesTable(state, ['lib'], [libStats], null)), plain)).toBe(
      'green close lib gBB1iblQTkmo_D3MU32TBA 1 0    \n',
    );
  });

  test('_cat/shards', () => {
    expect(renderCatText(shardsTable(recordedState, ['lib'], [libStats], RECORDED_AT_MS), verbose)).toBe(
      'index shard prirep state   docs  store ip        node\n' +
        'lib   0     p      STARTED    3 12.9kb 127.0.0.1 peer-19290\n',
    );
    const state = stateWith([{ metadata: lib, shards: [[libCopy, unassignedReplica]] }]);
    const table = shardsTable(state, ['lib'], [libStats], RECORDED_AT_MS + 1500);
    expect(renderCatText(table, { ...plain, headers: ['prirep', 'state', 'node', 'ur', 'uf'] })).toBe(
      'p STARTED    peer-19290                   \nr UNASSIGNED            INDEX_CREATED 1.5s\n',
    );
  });

  test('_cat/count, _cat/master, _cat/allocation, _cat/aliases', () => {
    expect(renderCatText(countTable(3, RECORDED_AT_MS + 1000), verbose)).toBe(
      'epoch      timestamp count\n1795253368 09:29:28  3\n',
    );
    expect(renderCatText(managerTable(recordedState), verbose)).toBe(
      'id                     host      ip        node\nC09shqfFQ2-hKCeFjhrcMA 127.0.0.1 127.0.0.1 peer-19290\n',
    );
    expect(renderCatText(allocationTable(recordedState, [{ node, stats: machine, storeBytes: 13_282 }]), verbose)).toBe(
      'shards disk.indices disk.used disk.avail disk.total disk.percent host      ip        node\n' +
        '     1       12.9kb   177.5gb     74.3gb    251.9gb           70 127.0.0.1 127.0.0.1 peer-19290\n',
    );
    expect(renderCatText(aliasesTable([lib], []), verbose)).toBe(
      'alias index filter routing.index routing.search is_write_index\n',
    );
  });

  test('help', () => {
    expect(renderCatHelp(COUNT_COLUMNS)).toBe(
      'epoch     | t,time                  | seconds since 1970-01-01 00:00:00\n' +
        'timestamp | ts,hms,hhmmss           | time in HH:MM:SS                 \n' +
        'count     | dc,docs.count,docsCount | the document count               \n',
    );
  });
});

describe('a table', () => {
  const table: CatTable = {
    columns: [column('name', 'n', ''), column('size', 's', '', ['right'])],
    rows: [
      ['b', { kind: 'bytes', bytes: 2048 }],
      ['a', { kind: 'bytes', bytes: 30 }],
      ['c', null],
      ['a', { kind: 'bytes', bytes: 100 }],
    ],
  };
  const rows = (sort: readonly string[]): readonly (string | null)[] =>
    renderCatRows(table, { ...plain, sort, bytes: 'b' }).map((row) => `${row.name}${row.size}`);

  test('sorts by value, nothing before something, and by several columns', () => {
    expect(rows(['s'])).toEqual(['cnull', 'a30', 'a100', 'b2048']);
    expect(rows(['n:desc', 'size:desc'])).toEqual(['cnull', 'b2048', 'a100', 'a30']);
    expect(() => rows(['nosuch'])).toThrow('Unable to sort by unknown sort key `nosuch`');
  });

  test('leaves unknown columns out and titles known ones as they were asked for', () => {
    expect(renderCatRows(table, { ...plain, headers: ['s', 'nosuch'] })[0]).toEqual({ s: '2kb' });
  });

  test('gives every line of text the columns of its titles', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.nat())), (cells) => {
        const lines = renderCatText({ columns: table.columns, rows: cells }, verbose).split('\n').slice(0, -1);
        expect(lines).toHaveLength(cells.length + 1);
        expect(new Set(lines.map((line) => line.length)).size).toBe(1);
      }),
    );
  });
});
