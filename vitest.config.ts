import { defineConfig } from 'vitest/config';

/**
 * Rooms whose tests share nothing but modules without state: a worker loads a module once for all their test files. What starts nodes,
 * processes or threads has a process for each file.
 */
const SHARED_MODULES = [
  'agent-config',
  'agent-event',
  'agent-plugin-kit',
  'aggregations',
  'analysis',
  'automata',
  'cluster',
  'cluster-state',
  'coordinator',
  'core',
  'engine',
  'extraction',
  'geo',
  'ingest',
  'mustache',
  'protocol',
  'query',
  'rest',
  'ruby-regex',
  'schema',
  'script',
  'shard-api',
]
  .map((room) => `packages/${room}/src/**/*.test.ts`)
  .concat('packages/agent-plugins/src/{codecs,filters}/**/*.test.ts');

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    setupFiles: ['test/support/seeded-draws.test-support.ts'],
    // Only ends a test that hangs: a machine with other work to do takes many times as long as an idle one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'rooms', include: SHARED_MODULES, isolate: false } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/node_modules/**', ...SHARED_MODULES],
        },
      },
    ],
  },
});
