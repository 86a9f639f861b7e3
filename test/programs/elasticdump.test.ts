/**
 * elasticdump copies an index with its settings, mapping and aliases: into files, out of them, and from index to index.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, fetchedProgram, npmCommand, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('elasticdump');
const DOCUMENTS = 250;

const cluster = new ProgramCluster(2);

async function dump(input: string, output: string, type: string, ...more: readonly string[]): Promise<void> {
  const args = [`--input=${input}`, `--output=${output}`, `--type=${type}`, ...more];
  const run = await runProgram(npmCommand(program, 'elasticdump'), args);
  expect(run, `${args.join(' ')}\n${run.output}`).toMatchObject({ status: 0 });
  expect(run.output).toContain('dump complete');
}

interface Hits {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly _source: unknown }[] };
}

const sorted = (index: string) =>
  ask<Hits>(`${cluster.url}/${index}/_search`, 'POST', { size: DOCUMENTS, sort: [{ n: 'asc' }] });
const kept = ({ hits }: Hits) => hits.hits.map(({ _id, _source }) => ({ _id, _source }));

describe.skipIf(!program.isHere)(program.title, () => {
  test('copies documents, mapping, settings and aliases through files and from index to index', async () => {
    await ask(`${cluster.url}/books`, 'PUT', {
      settings: {
        number_of_shards: 2,
        analysis: { analyzer: { plain: { type: 'custom', tokenizer: 'standard', filter: ['lowercase'] } } },
      },
      mappings: { properties: { title: { type: 'text', analyzer: 'plain' }, n: { type: 'long' } } },
      aliases: { library: { filter: { term: { n: 3 } } } },
    });
    const lines = Array.from({ length: DOCUMENTS }, (_, n) =>
      [{ index: { _id: `b${n}` } }, { title: `Title ${n}`, n, tags: ['a', null] }]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    const headers = { 'content-type': 'application/x-ndjson' };
    const bulk = { method: 'POST', headers, body: `${lines.join('\n')}\n` };
    expect((await fetch(`${cluster.url}/books/_bulk?refresh=true`, bulk)).status).toBe(200);

    for (const type of ['analyzer', 'mapping', 'data', 'alias'] as const) {
      const file = join(cluster.folder, `${type}.json`);
      await dump(`${cluster.url}/books`, file, type, '--limit=100');
      await dump(file, `${cluster.url}/copy`, type, '--limit=60');
    }
    await ask(`${cluster.url}/copy/_refresh`, 'POST');
    expect(kept(await sorted('copy'))).toEqual(kept(await sorted('books')));
    expect(kept(await sorted('copy'))).toHaveLength(DOCUMENTS);
    const shape = await ask<Record<string, { mappings: unknown; settings: { index: { analysis: unknown } } }>>(
      `${cluster.url}/books,copy`,
    );
    expect(shape.copy?.mappings).toEqual(shape.books?.mappings);
    expect(shape.copy?.settings.index.analysis).toEqual(shape.books?.settings.index.analysis);

    const some = JSON.stringify({ query: { range: { n: { lt: 10 } } }, _source: ['n'] });
    await dump(`${cluster.url}/books`, `${cluster.url}/few`, 'data', `--searchBody=${some}`);
    await ask(`${cluster.url}/few/_refresh`, 'POST');
    expect(kept(await sorted('few')).map(({ _source }) => _source)).toEqual(
      Array.from({ length: 10 }, (_, n) => ({ n })),
    );
  });

  test('copies templates', async () => {
    const legacy = { index_patterns: ['old-*'], order: 3, settings: { index: { number_of_shards: '2' } } };
    const component = { template: { mappings: { properties: { at: { type: 'date' } } } } };
    const composable = { index_patterns: ['new-*'], composed_of: ['dates'], priority: 7 };
    await ask(`${cluster.url}/_template/old`, 'PUT', legacy);
    await ask(`${cluster.url}/_component_template/dates`, 'PUT', component);
    await ask(`${cluster.url}/_index_template/new`, 'PUT', composable);
    const kinds = [
      ['template', '_template/old'],
      ['index_template', '_index_template/new'],
      ['component_template', '_component_template/dates'],
    ] as const;
    const before = await Promise.all(kinds.map(([, path]) => ask(`${cluster.url}/${path}`)));
    for (const [kind] of kinds) await dump(cluster.url, join(cluster.folder, `${kind}.json`), kind);
    for (const [, path] of kinds) await ask(`${cluster.url}/${path}`, 'DELETE');
    for (const [kind] of [...kinds].reverse()) await dump(join(cluster.folder, `${kind}.json`), cluster.url, kind);
    expect(await Promise.all(kinds.map(([, path]) => ask(`${cluster.url}/${path}`)))).toEqual(before);
  });
});
