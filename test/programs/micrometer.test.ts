/**
 * An application that sends its metrics with Micrometer's registry for Elasticsearch.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ask, fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('micrometer');
const source = fileURLToPath(new URL('micrometer/Metrics.java', import.meta.url));
const app = { 'app.keyword': ['shop'] };
const TIMEOUT_MS = 180_000;

const cluster = new ProgramCluster(2);

interface Found {
  readonly hits: { readonly hits: readonly { readonly fields: Record<string, unknown> }[] };
}

type Mappings = Readonly<Record<string, { readonly mappings: { readonly properties: Record<string, unknown> } }>>;

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'Metrics.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', cluster.folder, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const run = await runProgram('java', ['-cp', `${cluster.folder}:${jars}`, 'Metrics', cluster.url]);
      expect(run, run.output).toMatchObject({ status: 0, output: expect.stringMatching(/\nok\n$/) });
      expect(run.output).not.toMatch(/WARN|SEVERE|ERROR/);

      await ask(`${cluster.url}/app-metrics-*/_refresh`, 'POST');
      // Its template keeps no sources.
      const { hits } = await ask<Found>(`${cluster.url}/app-metrics-*/_search`, 'POST', {
        sort: 'name',
        docvalue_fields: [
          'name',
          'type.keyword',
          'app.keyword',
          'country.keyword',
          'count',
          'sum',
          'mean',
          'max',
          'value',
        ],
      });
      expect(hits.hits.map(({ fields }) => fields)).toEqual([
        {
          name: ['basket'],
          'type.keyword': ['distribution_summary'],
          count: [1],
          sum: [7],
          mean: [7],
          max: [7],
          ...app,
        },
        { name: ['orders'], 'type.keyword': ['counter'], count: [3], 'country.keyword': ['de'], ...app },
        { name: ['request'], 'type.keyword': ['timer'], count: [1], sum: [250], mean: [250], max: [250], ...app },
        { name: ['stock'], 'type.keyword': ['gauge'], value: [42.5], ...app },
      ]);
      // The registry made a template, and the index took its fields from it.
      const mappings = await ask<Mappings>(`${cluster.url}/app-metrics-*/_mapping`);
      const [index] = Object.values(mappings);
      expect(index?.mappings.properties).toMatchObject({
        '@timestamp': { type: 'date' },
        name: { type: 'keyword' },
      });
    },
    TIMEOUT_MS,
  );
});
