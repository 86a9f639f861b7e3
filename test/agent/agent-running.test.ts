/**
 * The life of an agent's process: reloads under load, signals, stuck plugins, workers that end.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { AgentFolder, type AgentProcess, numbers, until } from './agent-process.test-support.ts';

/** Several processes at once, on whatever machine runs the tests. */

const folders: AgentFolder[] = [];
const newFolder = (): AgentFolder => {
  const folder = new AgentFolder();
  folders.push(folder);
  return folder;
};
afterAll(async () => {
  for (const folder of folders.splice(0)) await folder.end();
});

const fileOutput = (folder: AgentFolder, format: string, name = 'out.txt'): string =>
  `file { path => "${folder.path}/${name}" codec => line { format => "${format}" } }`;
const following = (folder: AgentFolder): string =>
  `file { path => "${folder.path}/in.log" start_position => "beginning" sincedb_path => "${folder.path}/sincedb" stat_interval => 0.05 }`;
const filterPlugin = (name: string, body: string): string =>
  `export const plugin = { kind: 'filter', name: '${name}', version: '1.0.0', options: {}, create: (options, context) => { ${body} } };`;

/** What the log says of a pipeline that ended. */
async function lastLedger(agent: AgentProcess, state = 'terminated'): Promise<Record<string, unknown>> {
  await agent.exit();
  const line = agent.logged('pipeline ended').findLast((candidate) => candidate.state === state);
  return { ...(line?.ledger as object) };
}

/** Appends a number a line, without a pause that anything could hide in, until told to end. */
function writeNumbers(folder: AgentFolder): { end(): Promise<number> } {
  let next = 0;
  let isEnding = false;
  const loop = async (): Promise<number> => {
    while (!isEnding) {
      appendFileSync(
        `${folder.path}/in.log`,
        numbers(next, next + 20)
          .map((n) => `${n}\n`)
          .join(''),
      );
      next += 20;
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    return next;
  };
  const done = loop();
  return {
    end: () => {
      isEnding = true;
      return done;
    },
  };
}

describe.concurrent('a reload', () => {
  const config = (folder: AgentFolder, version: string): string =>
    `input { ${following(folder)} } filter { mutate { add_field => { "v" => "${version}" } } } output { ${fileOutput(folder, '%{message} %{v}')} }`;

  test.each(['memory', 'persisted'])(
    'under load loses no event and brings none twice (%s queue), and a broken file changes nothing',
    async (type) => {
      const folder = newFolder();
      folder.write('p.conf', config(folder, 'v0'));
      const agent = folder.start([
        '-f',
        'p.conf',
        '-r',
        '--config.reload.interval',
        '100ms',
        '-w',
        '2',
        '--queue.type',
        type,
      ]);
      await agent.listening();
      const load = writeNumbers(folder);
      for (const version of ['v0', 'v1', 'v2', 'v3']) {
        folder.write('p.conf', config(folder, version));
        await until(() => folder.lines('out.txt').some((line) => line.endsWith(version)), agent, `writes ${version}`);
      }
      folder.write('p.conf', config(folder, 'v4').replace('mutate', 'mutat'));
      await agent.untilLogged('reload failed');
      const { reloads } = await agent.pipeline();
      expect(reloads).toMatchObject({ successes: 3, failures: 1 });
      expect(reloads.last_error.message).toContain('mutate');
      const count = await load.end();
      await until(() => folder.lines('out.txt').length >= count, agent, `writes all ${count}`);
      expect(await agent.end()).toBe(0);
      const written = folder.lines('out.txt').map((line) => Number(line.split(' ')[0]));
      expect(written.toSorted((a, b) => a - b)).toEqual(numbers(0, count).map(Number));
      expect(new Set(folder.lines('out.txt').map((line) => line.split(' ')[1])).size).toBe(4);
    },
  );

  test('comes with SIGHUP, of one of two pipelines that are connected, and nothing is lost between them', async () => {
    const folder = newFolder();
    const second = (version: string): string =>
      `input { pipeline { address => "b" } } output { ${fileOutput(folder, `%{message} ${version}`)} }`;
    folder.write('first.conf', `input { ${following(folder)} } output { pipeline { send_to => ["b"] } }`);
    folder.write('second.conf', second('v0'));
    folder.write(
      'pipelines.yml',
      '- { pipeline.id: first, path.config: first.conf, pipeline.batch.size: 10 }\n- { pipeline.id: second, path.config: second.conf }\n',
    );
    const agent = await folder.start(['-w', '2']).listening();
    const load = writeNumbers(folder);
    for (const version of ['v1', 'v2']) {
      folder.write('second.conf', second(version));
      agent.signal('SIGHUP');
      await until(() => folder.lines('out.txt').some((line) => line.endsWith(version)), agent, `writes ${version}`);
    }
    folder.write('second.conf', 'input { pipelin { } }');
    agent.signal('SIGHUP');
    await agent.untilLogged('reload failed');
    expect((await agent.pipeline('second')).reloads).toMatchObject({ successes: 2, failures: 1 });
    expect((await agent.pipeline('first')).reloads).toMatchObject({ successes: 0, failures: 0 });
    const count = await load.end();
    await until(() => folder.lines('out.txt').length >= count, agent, `writes all ${count}`);
    expect(await agent.end()).toBe(0);
    const written = folder.lines('out.txt').map((line) => Number(line.split(' ')[0]));
    expect(written.toSorted((a, b) => a - b)).toEqual(numbers(0, count).map(Number));
    for (const line of agent.logged('pipeline ended'))
      expect(line.ledger).toMatchObject({ inFlight: 0, isBalanced: true });
  });
});

describe.concurrent('a signal that comes while the agent starts', () => {
  /** An agent that signals itself before anybody can know that it runs. */
  const signalled = (signal: string): AgentProcess => {
    const folder = newFolder();
    folder.write(
      'shoal-input-self.mjs',
      `export const plugin = { kind: 'input', name: 'self', version: '1.0.0', options: {}, create: () => ({
         finished: null, start: async () => process.kill(process.pid, '${signal}'), stop: async () => {} }) };`,
    );
    folder.write('p.conf', 'input { self { } } output { null { } }');
    return folder.start(['-f', 'p.conf']);
  };

  test('is not lost: a reload is made as soon as there is something to reload', async () => {
    const agent = await signalled('SIGHUP').listening();
    await agent.untilLogged('reload asked for');
    expect(await agent.end()).toBe(0);
  });

  test('ends it in order', async () => {
    const agent = signalled('SIGTERM');
    expect(await agent.exit()).toBe(0);
    expect(agent.logged('pipeline ended')).toHaveLength(1);
  });
});

describe.concurrent('SIGTERM', () => {
  test('drains what the inputs gave and ends with 0', async () => {
    const folder = newFolder();
    folder.write('p.conf', `input { generator { } } output { ${fileOutput(folder, '%{[event][sequence]}')} }`);
    const agent = await folder.start(['-f', 'p.conf', '-w', '2']).listening();
    await until(() => folder.lines('out.txt').length > 500, agent, 'writes');
    expect(await agent.end('SIGTERM')).toBe(0);
    const ledger = await lastLedger(agent);
    expect(ledger).toMatchObject({ out: folder.lines('out.txt').length, inFlight: 0, isBalanced: true });
    expect(ledger.in).toBe(ledger.out);
  });

  test('names what is stuck, with its line, and a second one ends the process', async () => {
    const folder = newFolder();
    folder.write('shoal-filter-stuck.mjs', filterPlugin('stuck', 'return { filter: () => new Promise(() => {}) };'));
    folder.write(
      'p.conf',
      'input { generator { count => 10 } heartbeat { } }\nfilter {\n  stuck { id => "s" }\n}\noutput { null { } }',
    );
    const agent = await folder.start(['-f', 'p.conf']).listening();
    await until(async () => (await agent.pipeline()).events.in >= 10, agent, 'takes events');
    agent.signal('SIGTERM');
    const line = await agent.untilLogged('shutdown waits');
    expect(line.busyPlugins).toEqual(['stuck s at p.conf:3:3']);
    expect(line.inFlight).toBeGreaterThanOrEqual(10);
    agent.signal('SIGINT');
    expect(await agent.exit()).toBe(1);
  });

  test('leaves to the next start what a persisted queue has: all of it is there, also what was stuck', async () => {
    const folder = newFolder();
    folder.write('shoal-filter-stuck.mjs', filterPlugin('stuck', 'return { filter: () => new Promise(() => {}) };'));
    folder.write(
      'p.conf',
      'input { generator { count => 300 } heartbeat { } } filter { stuck { } } output { null { } }',
    );
    const args = ['-f', 'p.conf', '--queue.type', 'persisted', '-w', '1'];
    const agent = await folder.start(args).listening();
    await until(async () => (await agent.pipeline()).events.in > 300, agent, 'takes events');
    expect(await agent.end('SIGTERM')).toBe(0);
    expect(agent.logged('stuck batches are left')[0]).toMatchObject({
      busyPlugins: [expect.stringContaining('stuck ')],
    });
    const before = await lastLedger(agent);
    expect(before).toMatchObject({ out: 0, isBalanced: true });
    folder.write(
      'p.conf',
      `input { heartbeat { interval => 60 } } output { ${fileOutput(folder, '%{[event][sequence]}')} }`,
    );
    const next = await folder.start(args).listening();
    await until(() => folder.lines('out.txt').length >= 300, next, 'writes what was left');
    await next.end();
    expect(await lastLedger(next)).toMatchObject({ carriedOver: before.in, isBalanced: true });
    expect(new Set(folder.lines('out.txt'))).toEqual(new Set([...numbers(0, 300), '%{[event][sequence]}']));
  });

  test('empties a persisted queue first with queue.drain', async () => {
    const folder = newFolder();
    folder.write(
      'p.conf',
      `input { generator { count => 400 } heartbeat { interval => 60 } } filter { sleep { time => 0.001 } } output { ${fileOutput(folder, '%{[event][sequence]}')} }`,
    );
    const args = ['-f', 'p.conf', '--queue.type', 'persisted', '--set', 'queue.drain=true', '-w', '1'];
    const agent = await folder.start(args).listening();
    await until(async () => (await agent.pipeline()).events.in >= 400, agent, 'takes events');
    expect(await agent.end('SIGTERM')).toBe(0);
    expect(folder.lines('out.txt').length).toBeGreaterThanOrEqual(400);
    expect(await lastLedger(agent)).toMatchObject({ inFlight: 0, isBalanced: true });
  });
});

describe.concurrent('a worker that ends', () => {
  /** Throws outside of any call, or runs out of memory, over the event `message`; with a marker only the first time. */
  const crash = (
    folder: AgentFolder,
    how: string,
    marker: string,
  ): string => `import { existsSync, writeFileSync } from 'node:fs';
    ${filterPlugin(
      'crash',
      `return { filter: async (event) => {
      if (event.fields.get('event')?.get('sequence') !== 42 || ('${marker}' !== '' && existsSync('${folder.path}/${marker}'))) return 'matched';
      if ('${marker}' !== '') writeFileSync('${folder.path}/${marker}', 'x');
      ${how}
      await new Promise(() => {});
    } };`,
    )}`;
  const THROWN = "setTimeout(() => { throw new Error('thrown outside'); });";
  const config = (folder: AgentFolder): string =>
    `input { generator { count => 200 } heartbeat { interval => 60 } }\nfilter { crash { id => "c" } }\noutput { ${fileOutput(folder, '%{[event][sequence]}')} }`;

  test('is replaced, and its batches come again', async () => {
    const folder = newFolder();
    folder.write('shoal-filter-crash.mjs', crash(folder, THROWN, 'marker'));
    folder.write('p.conf', config(folder));
    const agent = await folder.start(['-f', 'p.conf', '-b', '10', '-w', '2']).listening();
    await until(() => numbers(0, 200).every((n) => folder.lines('out.txt').includes(n)), agent, 'writes all');
    expect(agent.logged('worker ended')[0]).toMatchObject({
      reason: 'thrown outside',
      plugin: 'crash c at p.conf:2:10',
    });
    expect(await agent.end()).toBe(0);
    expect(await lastLedger(agent)).toMatchObject({ dropped: {}, inFlight: 0, isBalanced: true });
  });

  test('over the same events again and again gives them to the dead letter queue', async () => {
    const folder = newFolder();
    folder.write('shoal-filter-crash.mjs', crash(folder, THROWN, ''));
    folder.write('p.conf', config(folder));
    const args = ['-f', 'p.conf', '-b', '10', '-w', '1', '--set', 'dead_letter_queue.enable=true'];
    const agent = await folder.start(args).listening();
    await agent.untilLogged('batch given up');
    const all = 201;
    const isDone = async (): Promise<boolean> => {
      const { ledger } = await agent.pipeline();
      return ledger.in === all && ledger.in_flight === 0;
    };
    await until(isDone, agent, 'goes on');
    expect(await agent.end()).toBe(0);
    const ledger = await lastLedger(agent);
    // The batch may be a short one; those beside it may come twice.
    const deadLettered = all - new Set(folder.lines('out.txt')).size;
    expect(deadLettered).toBeGreaterThan(0);
    expect(deadLettered).toBeLessThanOrEqual(10);
    expect(ledger).toMatchObject({ deadLettered, dropped: {}, inFlight: 0, isBalanced: true });
    expect(agent.logged('batch given up')).toHaveLength(1);
  });

  test('for want of memory is replaced too, and the process stays', async () => {
    const folder = newFolder();
    const eat = 'const kept = []; for (;;) kept.push(new Array(100_000).fill({}));';
    folder.write('shoal-filter-crash.mjs', crash(folder, eat, 'marker'));
    folder.write('p.conf', config(folder));
    const environment = { NODE_OPTIONS: '--max-old-space-size=60' };
    const agent = await folder.start(['-f', 'p.conf', '-b', '10', '-w', '1'], environment).listening();
    await until(() => numbers(0, 200).every((n) => folder.lines('out.txt').includes(n)), agent, 'writes all');
    expect(agent.logged('worker ended')[0]?.reason).toContain('memory');
    expect(await agent.end()).toBe(0);
    expect(await lastLedger(agent)).toMatchObject({ dropped: {}, inFlight: 0, isBalanced: true });
  });
});

test.concurrent('filters are asked every few seconds for what they hold back', async () => {
  const folder = newFolder();
  folder.write(
    'p.conf',
    `input { generator { count => 5 } heartbeat { interval => 60 } } filter { metrics { meter => "m" add_tag => "metric" } }
     output { if "metric" in [tags] { ${fileOutput(folder, '%{[m][count]}')} } }`,
  );
  const agent = await folder.start(['-f', 'p.conf', '-w', '1']).listening();
  await until(() => folder.lines('out.txt').length > 0, agent, 'flushes');
  expect(folder.lines('out.txt')[0]).toMatch(/^[56]$/);
  expect(await agent.end()).toBe(0);
});
