/**
 * The rules of the house as tests: what is written in CONTRIBUTING.md and can be checked is checked here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FOLDER_ORDER } from './house/folder-order.test-support.ts';
import { circlesIn, edgesInside, folderOf, graphOf, topFolderOf } from './house/import-graph.test-support.ts';
import { unreadClusterSettings, unreadIndexSettings, unreadParameters } from './house/option-readers.test-support.ts';
import {
  emptyCases,
  unreadAnalysisOptions,
  unreadMappingParameters,
  unreadRequestMembers,
} from './house/request-options.test-support.ts';
import { commentStarts, projectFiles, root, type SourceFile, sourceFiles } from './house/source-tree.test-support.ts';
import { StartGraph } from './house/start-graph.test-support.ts';

const files = sourceFiles();
const product = files.filter((file) => file.room !== null && !file.isTest);

/** Direct imports a room may have; it also may import what these may. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  runtime: ['core'],
  simulation: ['runtime'],
  geo: ['core'],
  automata: ['core'],
  mustache: ['core'],
  schema: ['geo'],
  analysis: ['automata', 'script'],
  query: ['automata', 'geo', 'script'],
  aggregations: ['query', 'schema'],
  'shard-api': ['aggregations'],
  transport: ['runtime'],
  'cluster-state': ['transport'],
  protocol: ['cluster-state', 'replication', 'shard-api'],
  consensus: ['protocol'],
  replication: ['core'],
  cluster: ['analysis', 'consensus', 'replication', 'schema'],
  membership: ['cluster'],
  engine: ['aggregations', 'analysis', 'runtime', 'shard-api'],
  shards: ['engine', 'membership'],
  http: ['runtime'],
  ingest: ['agent-plugin-kit', 'analysis', 'script'],
  coordinator: ['aggregations', 'ingest', 'membership', 'replication'],
  rest: ['coordinator', 'http'],
  node: ['rest', 'ruby-regex', 'shards'],
  client: ['rest'],
  testing: ['node', 'simulation'],
  'ruby-regex': ['core'],
  extraction: ['ruby-regex'],
  script: ['extraction', 'mustache', 'schema'],
  'agent-event': ['core'],
  'agent-plugin-kit': ['agent-event', 'extraction', 'runtime'],
  'agent-config': ['agent-plugin-kit'],
  'agent-queue': ['agent-event', 'runtime'],
  'agent-plugins': ['agent-config', 'agent-queue', 'mustache'],
  'pipeline-agent': ['agent-plugins', 'http'],
  cli: ['pipeline-agent', 'testing'],
};

/** Files and folders at the top of the project. */
const TOP_LEVEL: readonly string[] = [
  ...[
    '.ci',
    '.dockerignore',
    '.gitignore',
    '.npmrc',
    'CONTRIBUTING.md',
    'Dockerfile',
    'LICENSE',
    'README.md',
    'biome.json',
  ],
  ...['docker-compose.yml', 'docs', 'package-lock.json', 'package.json', 'packages', 'scripts', 'test'],
  ...['tsconfig.base.json', 'tsconfig.json', 'tsconfig.tests.json', 'vitest.config.ts'],
];

test('nothing lies at the top of the project that is not declared', () => {
  const found = new Set(projectFiles().map((path) => path.split('/')[0] ?? ''));
  expect([...found].filter((name) => !TOP_LEVEL.includes(name))).toEqual([]);
});

function reachable(room: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    for (const next of LAYERS[name] ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        visit(next);
      }
    }
  };
  visit(room);
  return seen;
}

const importsOf = (file: SourceFile): readonly string[] =>
  [...file.code.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1] ?? '');

const where = (file: SourceFile, offset: number): string =>
  `${file.path}:${file.code.slice(0, offset).split('\n').length}`;

/** What only some nodes need, by a part of its path, and what loads it: each copy costs megabytes in every node or thread. */
const LOADED_ON_USE: readonly (readonly [start: string, part: string])[] = [
  // By the threads of shards, and by `_analyze`.
  ['packages/node/src/start/start-node.ts', 'packages/engine/src/field-types/'],
  ['packages/node/src/start/start-node.ts', 'packages/engine/src/match/'],
  ['packages/node/src/start/start-node.ts', 'packages/engine/src/shard/lifecycle/'],
  // With the first pipeline.
  ['packages/node/src/start/start-node.ts', 'packages/ingest/src/processors/extraction/'],
  ['packages/node/src/start/start-node.ts', 'packages/agent-plugin-kit/src/user-agents/'],
  ['packages/shards/src/worker/shard-worker.ts', 'packages/ingest/'],
  // With the first analyzer that has one of its stemmers.
  ['packages/node/src/start/start-node.ts', 'snowball-stemmers'],
  ['packages/shards/src/worker/shard-worker.ts', 'snowball-stemmers'],
  // With the first file of settings, or the first plugin that reads YAML.
  ['packages/pipeline-agent/src/start-agent.ts', 'yaml'],
  ['packages/pipeline-agent/src/workers/pipeline-thread.ts', 'yaml'],
];

describe('a start', () => {
  const graph = new StartGraph(product);

  test.each(LOADED_ON_USE)('of %s does not load %s', (start, part) => {
    const loaded = graph.loadedWith(start);
    expect([...loaded].filter(([path]) => path.startsWith(part))).toEqual([]);
  });

  test('is followed through packages', () => {
    const worker = graph.loadedWith('packages/shards/src/worker/shard-worker.ts');
    expect([...worker.keys()]).toContain('packages/engine/src/match/registry/query-behaviours.ts');
    expect([...worker.keys()]).toContain('packages/script/src/programs/script-context.ts');
    expect(worker.size).toBeGreaterThan(700);
    const node = graph.loadedWith('packages/node/src/start/start-node.ts');
    expect([...node.keys()]).toContain('packages/rest/src/rest-apis.ts');
    expect(node.size).toBeGreaterThan(700);
  });
});

describe('layers', () => {
  test('every room stands in the table', () => {
    expect([...new Set(files.flatMap((file) => file.room ?? []))].filter((room) => !(room in LAYERS))).toEqual([]);
  });

  test('docs/architecture.md shows the table as it is', () => {
    const whole = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const page = whole.slice(whole.indexOf('## Rooms'), whole.indexOf('## Inside a room'));
    const rows = [...page.matchAll(/^\| `([a-z-]+)` *\| *([a-z, -]*?) *\|/gm)];
    const shown = rows.map(([, room = '', list = '']) => [room, list.split(', ').filter((name) => name !== '')]);
    expect(Object.fromEntries(shown)).toEqual(LAYERS);
  });

  test('a room imports only rooms below it, and only through their door', () => {
    const broken: string[] = [];
    for (const file of product) {
      const room = file.room ?? '';
      const allowed = reachable(room);
      for (const name of importsOf(file)) {
        const target = /^@shoal\/([^/]+)(\/.*)?$/.exec(name);
        if (target && (!allowed.has(target[1] ?? '') || target[2])) broken.push(`${file.path} imports ${name}`);
        if (name.startsWith('.') && join(file.path, '..', name).split('/')[1] !== room)
          broken.push(`${file.path} reaches into ${name}`);
        if (name.startsWith('.') && !name.endsWith('.ts')) broken.push(`${file.path}: write the ending of ${name}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('product code never imports tests or their support', () => {
    const broken = product.filter((file) =>
      importsOf(file).some((name) => /\.test(-support)?\.ts$|@shoal\/simulation/.test(name)),
    );
    // A simulated cluster is what users of `testing` are given.
    const mayNot = broken.filter(({ room }) => room !== 'simulation' && room !== 'testing');
    expect(mayNot.map((file) => file.path)).toEqual([]);
  });

  test('package.json names what is imported, and no other room', () => {
    const broken: string[] = [];
    for (const room of Object.keys(LAYERS)) {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', room, 'package.json'), 'utf8'));
      const declared = new Set(Object.keys(manifest.dependencies ?? {}));
      for (const file of product.filter((f) => f.room === room)) {
        for (const name of importsOf(file)) {
          if (name.startsWith('.') || name.startsWith('node:')) continue;
          const module = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? '');
          if (!declared.has(module))
            broken.push(`${file.path} imports ${module}, which packages/${room}/package.json does not name`);
        }
      }
    }
    expect(broken).toEqual([]);
  });
});

/** Packages of more files than this, tests not counted, have their folders in a declared order. */
const ORDERED_FROM_FILES = 40;
const FOLDER_FILES_MAX = 25;

describe('inside a package', () => {
  const rooms = Object.keys(LAYERS);
  // A door names everything and nothing imports it.
  const inside = (room: string): readonly SourceFile[] =>
    product.filter((file) => file.path.startsWith(`packages/${room}/src/`) && !file.path.endsWith('src/index.ts'));

  test('files do not import in circles, types included', () => {
    const circles = rooms.flatMap((room) =>
      circlesIn(
        graphOf(
          edgesInside(product.filter((file) => file.room === room && !file.path.endsWith('src/index.ts'))),
          (path) => path,
        ),
      ),
    );
    expect(circles).toEqual([]);
  });

  test('folders do not import in circles, types included', () => {
    const circles = rooms.flatMap((room) =>
      circlesIn(graphOf(edgesInside(inside(room)), (path) => `${room}/${folderOf(path)}`)),
    );
    expect(circles).toEqual([]);
  });

  test(`of more than ${ORDERED_FROM_FILES} files each folder stands in the declared order and imports folders before it`, () => {
    const broken: string[] = [];
    for (const room of rooms.filter((name) => inside(name).length > ORDERED_FROM_FILES)) {
      const order = FOLDER_ORDER[room] ?? [];
      const folders = new Set(
        inside(room)
          .map((file) => topFolderOf(file.path))
          .filter((folder) => folder !== ''),
      );
      for (const folder of folders) if (!order.includes(folder)) broken.push(`${room}/${folder} is not in the order`);
      for (const folder of order)
        if (!folders.has(folder)) broken.push(`${room}/${folder} is in the order and not there`);
      for (const { from, to } of edgesInside(inside(room))) {
        const [a, b] = [topFolderOf(from), topFolderOf(to)];
        if (a !== '' && (b === '' || order.indexOf(b) > order.indexOf(a))) broken.push(`${from} imports ${to}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('docs/architecture.md shows the folders of the engine in their order', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const section = page.slice(page.indexOf('## Inside a room'), page.indexOf('## Walks'));
    const shown = [...section.matchAll(/^\| `([a-z-]+)`/gm)].map((match) => match[1]);
    expect(shown).toEqual(FOLDER_ORDER.engine);
  });

  test(`a folder holds at most ${FOLDER_FILES_MAX} files`, () => {
    const counts = new Map<string, number>();
    for (const file of product) {
      const folder = join(file.path, '..');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
  });
});

/** Rooms whose invariants guard data: assertions that they have at least, in a thousand lines. */
const ASSERTED_ROOMS: readonly string[] = ['consensus', 'engine', 'protocol', 'replication'];
const ASSERTIONS_PER_THOUSAND_LINES = 8;

describe('assertions', () => {
  test.each(ASSERTED_ROOMS)(`%s has at least ${ASSERTIONS_PER_THOUSAND_LINES} a thousand lines`, (room) => {
    const own = product.filter((file) => file.room === room);
    const lines = own.reduce((sum, file) => sum + file.text.split('\n').length, 0);
    const assertions = own.reduce((sum, file) => sum + (file.code.match(/\bassert\(/g)?.length ?? 0), 0);
    expect((assertions * 1_000) / lines).toBeGreaterThanOrEqual(ASSERTIONS_PER_THOUSAND_LINES);
  });
});

describe('comments', () => {
  test('stand alone: none begins with Of, As or And', () => {
    const found = files
      .filter((file) => file.path !== 'test/house.test.ts')
      .flatMap((file) =>
        commentStarts(file.text)
          .filter(({ text }) => /^(?:Of|As|And)\b/.test(text))
          .map(({ line, text }) => `${file.path}:${line} ${text.slice(0, 60)}`),
      );
    expect(found).toEqual([]);
  });
});

/** Where effects may be performed: the runtime itself, the command, the simulator's event loop, the sockets of HTTP, and what runs in the processes of test runners. */
const mayTouchTheWorld = (file: SourceFile): boolean =>
  file.room === 'runtime' ||
  file.room === 'cli' ||
  file.room === 'simulation' ||
  file.path.startsWith('packages/http/src/adapters/') ||
  file.path.startsWith('packages/testing/src/runners/') ||
  file.path.startsWith('packages/agent-plugins/src/') ||
  /^packages\/agent-plugin-kit\/src\/(globs|tls|http-client|network)\//.test(file.path);

const BANNED: readonly { readonly pattern: RegExp; readonly use: string }[] = [
  { pattern: /\bDate\.now\b|\bnew Date\(\s*\)/g, use: 'runtime.clock.wallMs()' },
  { pattern: /\bperformance\.now\b/g, use: 'runtime.clock.monotonicMs()' },
  { pattern: /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\s*\(|process\.nextTick/g, use: 'runtime.sched' },
  {
    pattern:
      /\bMath\.random\b|\bcrypto\.random|\bgetRandomValues\b|import \{[^}]*\brandom\w+[^}]*\} from 'node:crypto'/g,
    use: 'runtime.random',
  },
  {
    pattern:
      /'node:(fs|fs\/promises|net|tls|dgram|worker_threads|child_process|timers|timers\/promises|os|http|https|perf_hooks)'/g,
    use: 'the Runtime',
  },
  {
    pattern: /\bAbortSignal\.timeout\b|\bnew WeakRef\b|\bnew FinalizationRegistry\b/g,
    use: 'a deadline through runtime.sched',
  },
  { pattern: /\blocaleCompare\b|\btoLocale\w+\(/g, use: 'compare by code unit: locales differ between machines' },
  { pattern: /\bconsole\.\w+\(/g, use: 'runtime.log' },
  { pattern: /\bprocess\.(exit|env|on)\b/g, use: 'only the command knows the process' },
];

/** `showHostPort`, and a setting whose hosts cannot be IPv6 addresses. */
const WRITERS_OF_ADDRESSES: readonly string[] = [
  'packages/core/src/host-port.ts',
  'packages/rest/src/by-query/remote-source.ts',
];

describe('effects', () => {
  test.each(BANNED)('only at the edge: $pattern → $use', ({ pattern }) => {
    const found = product
      .filter((file) => !mayTouchTheWorld(file))
      .flatMap((file) => [...file.code.matchAll(pattern)].map((match) => `${where(file, match.index)} ${match[0]}`));
    expect(found).toEqual([]);
  });

  test('addresses are written by what knows of IPv6', () => {
    const found = product
      .filter(({ path }) => !WRITERS_OF_ADDRESSES.includes(path))
      .flatMap((file) =>
        [...file.text.matchAll(/\bhost\}:\$\{[\w.]*\bport\}/g)].map(({ index }) => where(file, index)),
      );
    expect(found).toEqual([]);
  });

  test('no state at module level', () => {
    const found = product
      .filter((file) => file.room !== 'cli')
      .flatMap((file) => [...file.code.matchAll(/^(?:export )?let \w+/gm)].map((match) => where(file, match.index)));
    expect(found).toEqual([]);
  });
});

const LINES_MAX = 400;
const FORBIDDEN_NAMES = /^(utils?|helpers?|common|types|misc|shared)\.ts$/;

describe('files', () => {
  test(`hold one concept: at most ${LINES_MAX} lines`, () => {
    const long = files.filter((file) => !file.isTest && file.text.split('\n').length - 1 > LINES_MAX);
    expect(long.map((file) => `${file.path}: ${file.text.split('\n').length - 1}`)).toEqual([]);
  });

  test('are named after it, in kebab-case', () => {
    const named = files.filter((file) => {
      const name = file.path.split('/').at(-1) ?? '';
      return (
        FORBIDDEN_NAMES.test(name) ||
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.(sim|fuzz|test|test-support|config|d))*\.ts$/.test(name)
      );
    });
    expect(named.map((file) => file.path)).toEqual([]);
  });

  test('of the product open with what they are for', () => {
    const silent = product.filter((file) => !file.path.endsWith('/index.ts') && !file.text.startsWith('/**'));
    expect(silent.map((file) => file.path)).toEqual([]);
  });

  test('an index.ts lists names and has no logic', () => {
    const broken = product.filter(
      (file) =>
        file.path.endsWith('src/index.ts') &&
        (/export \*/.test(file.code) || /^\s*(?:export\s+)?(?:function|const|class|let)\b/m.test(file.code)),
    );
    expect(broken.map((file) => file.path)).toEqual([]);
  });

  test('leave nothing open and switch nothing off', () => {
    const marks = /\b(TODO|FIXME|HACK)\b|@ts-(ignore|nocheck|expect-error)/;
    expect(
      files.filter((file) => !file.path.startsWith('test/house') && marks.test(file.text)).map((f) => f.path),
    ).toEqual([]);
    const skipped = files.filter((file) => /\b(it|test|describe)\.(only|todo|skip)\(/.test(file.code));
    expect(skipped.map((file) => file.path)).toEqual([]);
  });
});

/** Files whose words are those of somebody else's interface, and why they must be written there. */
const WORDS_OF_OTHERS: Readonly<Record<string, string>> = {
  'packages/agent-plugins/src/filters/prune/prune.ts': 'configurations name the options of this filter so',
  'packages/agent-plugins/src/outputs/elasticsearch/elasticsearch.ts':
    'older configurations name an option of this output so',
};

describe('words', () => {
  test('a cluster manager is called one: other words only in what users send and see', () => {
    const judged = product.filter((file) => !(file.path in WORDS_OF_OTHERS));
    const found = judged.flatMap((file) =>
      [...file.code.matchAll(/\b\w*(slave|whitelist|blacklist)\w*\b/gi)].map(
        (match) => `${where(file, match.index)} ${match[0]}`,
      ),
    );
    expect(found).toEqual([]);
    const known = new Set(product.map((file) => file.path));
    expect(Object.keys(WORDS_OF_OTHERS).filter((path) => !known.has(path))).toEqual([]);
  });

  test('the project speaks of itself alone', () => {
    const machine = new RegExp(['/wo' + 'rk/', 'https?://(registry|proxy|deb)\\.', '\\bsub' + 'agent\\b'].join('|'));
    const found = projectFiles()
      .filter((path) => /\.(ts|mjs|js|json|md|yml|yaml)$|^\.ci\/|Dockerfile/.test(path) && path !== 'package-lock.json')
      .filter((path) => existsSync(join(root, path)) && machine.test(readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });
});

describe('pages', () => {
  test('name commands that exist', () => {
    const known = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
    const unknown = projectFiles()
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/npm run ([\w:-]+)/g)]
          .map((match) => match[1] ?? '')
          .filter((name) => !known.includes(name))
          .map((name) => `${path}: npm run ${name}`),
      );
    expect(unknown).toEqual([]);
  });
});

describe('exports', () => {
  test('are used by another file', () => {
    const texts = files.map((file) => ({ file, words: new Set(file.code.match(/\w+/g)) }));
    const dead: string[] = [];
    for (const file of product.filter((f) => !f.path.endsWith('/index.ts'))) {
      for (const match of file.code.matchAll(/^export (?:async )?(function\*?|const|class|interface|type) (\w+)/gm)) {
        const [, kind = '', name = ''] = match;
        // A type may be exported for the sake of another exported declaration of its own file.
        const isType = kind === 'interface' || kind === 'type';
        const isMentioned = isType && file.code.split(new RegExp(`\\b${name}\\b`)).length > 2;
        if (!isMentioned && !texts.some((other) => other.file !== file && other.words.has(name))) {
          dead.push(`${file.path}: ${name}`);
        }
      }
    }
    expect(dead).toEqual([]);
  });

  test('of a package are used outside it', () => {
    const dead: string[] = [];
    const roomsOf = new Map<string, Set<string | null>>();
    for (const file of files) {
      for (const word of new Set(file.code.match(/\w+/g))) {
        const rooms = roomsOf.get(word);
        if (rooms === undefined) roomsOf.set(word, new Set([file.room]));
        else rooms.add(file.room);
      }
    }
    for (const room of Object.keys(LAYERS).filter((name) => name !== 'client' && name !== 'cli')) {
      const door = files.find((file) => file.path === `packages/${room}/src/index.ts`);
      const names = [...(door?.code.matchAll(/(?:\{|,|type)\s*(?:type )?(\w+)(?=\s*[,}])/g) ?? [])].map(
        (match) => match[1] ?? '',
      );
      const inside = files.filter((file) => file.room === room && !file.path.endsWith('/index.ts'));
      for (const name of names) {
        if ([...(roomsOf.get(name) ?? [])].some((other) => other !== room)) continue;
        // A type that another exported signature mentions belongs to the door although nobody spells it.
        const mention = new RegExp(`export [^\\n]*\\n?[^;]*\\b${name}\\b`);
        if (!inside.some(({ code }) => mention.test(code))) dead.push(`packages/${room}: ${name}`);
      }
    }
    expect(dead).toEqual([]);
  });
});

describe('options', () => {
  test('settings of indices are read by somebody, or have the reason why no answer depends on them', () => {
    expect(unreadIndexSettings(product)).toEqual([]);
  });

  test('settings of the cluster are read by somebody, or have the reason why no answer depends on them', () => {
    expect(unreadClusterSettings(product)).toEqual([]);
  });

  test('parameters of routes are read by somebody, or have the reason why no answer depends on them', async () => {
    expect(await unreadParameters(product)).toEqual([]);
  });

  test('parameters of fields are read by their type or the engine, or have the reason why no answer depends on them', () => {
    expect(unreadMappingParameters(product)).toEqual([]);
  });

  test('of analysis components are read when one is built', () => {
    expect(unreadAnalysisOptions()).toEqual([]);
  });

  test('in bodies of requests are read by those who execute them, or have the reason why no answer depends on them', () => {
    expect(unreadRequestMembers(product)).toEqual([]);
    expect(emptyCases(product)).toEqual([]);
  });
});

const LICENCES =
  /^(\(?(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Python-2\.0)( OR | AND )?\)?)+$/;

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
}

describe('dependencies', () => {
  const lock: Readonly<Record<string, LockedPackage>> = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  ).packages;
  const foreign = Object.entries(lock).filter(([path, entry]) => path.includes('node_modules/') && !entry.link);

  test('of the product have permissive licences', () => {
    const others = foreign.filter(([, entry]) => !entry.dev && !LICENCES.test(entry.license ?? ''));
    expect(others.map(([path, entry]) => `${path}: ${entry.license}`)).toEqual([]);
  });

  test('need no install script', () => {
    const scripts = foreign.filter(([, entry]) => entry.hasInstallScript && !entry.optional);
    expect(scripts.map(([path]) => path)).toEqual([]);
  });

  test('of the product each have their reason in docs/dependencies.md', () => {
    const manifests = projectFiles().filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
    const used = manifests.flatMap((path) =>
      Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8')).dependencies ?? {}),
    );
    const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
    const named = [...page.matchAll(/^\| `([^`]+)` *\|/gm)].map((match) => match[1] ?? '');
    expect([...new Set(used.filter((name) => !name.startsWith('@shoal/')))].sort()).toEqual([...named].sort());
  });

  test('are locked without the address of a registry', () => {
    expect(foreign.filter(([, entry]) => entry.resolved?.startsWith('http')).map(([path]) => path)).toEqual([]);
  });
});
