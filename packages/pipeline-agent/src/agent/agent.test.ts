import { DeadLetterReader } from '@shoal/agent-queue';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { collected, killAgent, testAgent, writeFile } from './agent.test-support.ts';

describe('an agent', () => {
  test('moves events from input to output and accounts for each of them', async () => {
    const { core } = testAgent({
      'config.string': `input { generator { lines => ["keep", "drop"] count => 500 } }
        filter { if [message] == "drop" { drop { id => "the-drop" } } else { clone { clones => ["copy"] } } }
        output { collect { into => "a1" } }`,
    });
    await core.start();
    await core.allEnded;
    expect(collected('a1')).toHaveLength(1_000);
    const ledger = core.pipelines[0]!.pipeline.ledger();
    expect(ledger).toEqual({
      in: 1_000,
      created: 500,
      carriedOver: 0,
      out: 1_000,
      dropped: { 'the-drop': 500 },
      deadLettered: 0,
      inFlight: 0,
      isBalanced: true,
    });
    expect(core.pipelines[0]!.pipeline.state).toBe('finished');
  });

  test('keeps the order of events through conditions and copies', async () => {
    const { core } = testAgent({
      'pipeline.workers': 1,
      'pipeline.batch.size': 7,
      'pipeline.ecs_compatibility': 'disabled',
      'config.string': `input { generator { lines => ["a", "b", "c"] count => 40 } }
        filter { if [message] == "b" { clone { clones => ["x"] } } else if [message] == "c" { mutate { add_tag => ["c"] } } }
        output { collect { into => "a2" } }`,
    });
    await core.start();
    await core.allEnded;
    const order = collected('a2').map((event) => `${event.message}${event.sequence}`);
    const expected = Array.from({ length: 40 }, (_, n) => [`a${n}`, `b${n}`, `b${n}`, `c${n}`]).flat();
    expect(order).toEqual(expected);
  });

  test('finds plugins whose names are quoted', async () => {
    const { core } = testAgent({
      'config.string': `input { "generator" { count => 1 } } filter { "mutate" { add_field => { "a" => "b" } } }
        output { "collect" { into => "quoted" } }`,
    });
    await core.start();
    await core.allEnded;
    expect(collected('quoted')[0]?.a).toBe('b');
  });

  test('replaces variables of the environment', async () => {
    const { core } = testAgent({
      'config.string': `input { generator { message => "\${GREETING} \${NAME:you}" count => 1 } } output { collect { into => "a3" } }`,
    });
    await core.start();
    await core.allEnded;
    expect(collected('a3')[0]?.message).toBe('hello you');
  });

  test('puts an event on which a filter throws into the dead letter queue, and goes on', async () => {
    const { core, runtime } = testAgent({
      'dead_letter_queue.enable': true,
      'config.string': `input { generator { lines => ["good", "bad"] count => 3 } }
        filter { fail { id => "f" } } output { collect { into => "a4" } }`,
    });
    await core.start();
    await core.allEnded;
    expect(collected('a4').map((event) => event.message)).toEqual(['good', 'good', 'good']);
    expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ out: 3, deadLettered: 3, isBalanced: true });
    const letters = await new DeadLetterReader(runtime.disk, 'data/dead_letter_queue/main').next(10);
    expect(letters.map(({ pluginType, pluginId, reason }) => [pluginType, pluginId, reason])).toEqual(
      Array.from({ length: 3 }, () => ['fail', 'f', 'no good']),
    );
  });

  test('reads a dead letter queue once, with reasons, and never puts its events back', async () => {
    const { core, runtime } = testAgent({ 'dead_letter_queue.enable': true });
    const reading = (into: string): string =>
      `input { dead_letter_queue { path => "data/dead_letter_queue" pipeline_id => "one" } } filter { fail { id => "again" } } output { collect { into => "${into}" } }`;
    await writeFile(
      runtime,
      'pipelines.yml',
      `- pipeline.id: one
  config.string: 'input { generator { lines => ["bad"] count => 3 } } filter { mutate { add_field => { "k" => "v" } } fail { id => "f" } }'
- pipeline.id: two
  config.string: '${reading('a7').replace('filter { fail { id => "again" } }', '')}'
- pipeline.id: three
  config.string: '${reading('a8')}'
`,
    );
    await core.start();
    const three = core.pipelines[2]!.pipeline;
    while (collected('a7').length < 3 || collected('a8').length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(collected('a7')[0]).toMatchObject({ message: 'bad', k: 'v' });
    const { dead_letter_queue: letter } = collected('a7')[0]!.metadata as Record<string, Map<string, unknown>>;
    expect(letter?.get('reason')).toBe('no good');
    expect(collected('a8')[0]).toMatchObject({ message: 'bad', tags: ['_fail_exception'] });
    expect(three.ledger()).toMatchObject({ in: 3, deadLettered: 0, isBalanced: true });
  });

  test('counts events as dropped by the output that gave them up when there is no dead letter queue', async () => {
    const { core, log } = testAgent({
      'config.string': 'input { generator { count => 5 } } output { refuse { id => "r" } collect { into => "a5" } }',
    });
    await core.start();
    await core.allEnded;
    expect(collected('a5')).toHaveLength(5);
    expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ out: 0, dropped: { r: 5 }, isBalanced: true });
    expect(log.lines.some((line) => line.message === 'a plugin failed on an event')).toBe(true);
  });

  test('connects pipelines of one process, metadata included', async () => {
    const { core, runtime } = testAgent({});
    await writeFile(
      runtime,
      'pipelines.yml',
      `- pipeline.id: first
  config.string: 'input { generator { count => 10 } } filter { mutate { add_field => { "[@metadata][k]" => "v" } } } output { pipeline { send_to => ["b"] } }'
- pipeline.id: second
  config.string: 'input { pipeline { address => "b" } } output { collect { into => "a6" } }'
`,
    );
    await core.start();
    await core.pipelines[0]!.pipeline.ended;
    await core.pipelines[1]!.pipeline.stop();
    expect(collected('a6')).toHaveLength(10);
    expect(collected('a6')[0]).toMatchObject({ metadata: { k: 'v' } });
    for (const { pipeline } of core.pipelines) expect(pipeline.ledger().isBalanced).toBe(true);
  });

  test('refuses a second process on its data folder', async () => {
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const settings = { 'config.string': 'input { heartbeat { } } output { null { } }' };
    await testAgent(settings, runtime).core.start();
    await expect(testAgent(settings, runtime).core.start()).rejects.toThrow('held');
  });

  test('has one id for ever, in its data folder', async () => {
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const settings = { 'config.string': 'input { heartbeat { } } output { null { } }' };
    const first = testAgent(settings, runtime).core;
    await first.start();
    await first.stop();
    const second = testAgent(settings, runtime).core;
    await second.start();
    expect(second.id).toBe(first.id);
    expect(second.ephemeralId).not.toBe(first.ephemeralId);
  });

  test('finds with a persisted queue what the process before it left', async () => {
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const base = { 'queue.type': 'persisted' };
    const first = testAgent(
      {
        ...base,
        'config.string': 'input { generator { count => 300 } } filter { sleep { time => 1000 } } output { null { } }',
      },
      runtime,
    ).core;
    await first.start();
    const { pipeline } = first.pipelines[0]!;
    while ((pipeline.queue?.sizes().acceptedCount ?? 0) < 300) await new Promise((resolve) => setImmediate(resolve));
    // The process dies: nothing is closed or drained.
    await killAgent(first);
    const copy = await runtimeWithSameDisk(runtime);
    const second = testAgent(
      {
        ...base,
        'path.data': 'data',
        'config.string': 'input { heartbeat { interval => 1000 } } output { collect { into => "a9" } }',
      },
      copy,
    ).core;
    await second.start();
    while (collected('a9').length < 300) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(second.pipelines[0]!.pipeline.ledger()).toMatchObject({ carriedOver: 300, isBalanced: true });
  });
});

/** The same files, without the locks of the process that died. */
async function runtimeWithSameDisk(runtime: ReturnType<typeof createNodeRuntime>): Promise<typeof runtime> {
  const copy = createNodeRuntime({ log: createSilentLog() });
  const visit = async (folder: string): Promise<void> => {
    await copy.disk.mkdir(folder);
    for (const name of await runtime.disk.list(folder)) {
      const path = `${folder}/${name}`;
      if ((await runtime.disk.stat(path)).isDirectory) await visit(path);
      else {
        const file = await copy.disk.open(path, 'create');
        await file.write(await runtime.disk.readFile(path), 0);
        await file.close();
      }
    }
  };
  await visit('data');
  return copy;
}

describe('a reload', () => {
  const CONFIG = (into: string): string =>
    `input { heartbeat { interval => 60 } } output { collect { into => "${into}" } }`;
  const settings = { 'path.config': 'p.conf' };

  test('swaps a changed pipeline and counts a success', async () => {
    const { core, runtime } = testAgent(settings);
    await writeFile(runtime, 'p.conf', CONFIG('r1'));
    await core.start();
    const before = core.pipelines[0]!.pipeline;
    await core.reload();
    expect(core.pipelines[0]!.pipeline).toBe(before);
    await writeFile(runtime, 'p.conf', CONFIG('r2'));
    await core.reload();
    expect(core.pipelines[0]!.pipeline).not.toBe(before);
    expect(before.state).toBe('terminated');
    expect(core.pipelines[0]!.reloads).toMatchObject({ successes: 1, failures: 0, lastError: null });
  });

  test('keeps the old one when the new text is broken, and counts that text once', async () => {
    const { core, runtime } = testAgent(settings);
    await writeFile(runtime, 'p.conf', CONFIG('r3'));
    await core.start();
    const before = core.pipelines[0]!.pipeline;
    await writeFile(runtime, 'p.conf', 'input { heartbeat { intervall => 1 } }');
    await core.reload();
    await core.reload();
    expect(core.pipelines[0]!.pipeline).toBe(before);
    expect(before.state).toBe('running');
    const { reloads } = core.pipelines[0]!;
    expect(reloads.failures).toBe(1);
    expect(reloads.lastError?.message).toContain("did you mean 'interval'");
    expect(reloads.lastError?.positions).toEqual(['p.conf:1:21']);
  });

  test('waits for a file that is being written', async () => {
    const { core, runtime } = testAgent(settings);
    await writeFile(runtime, 'p.conf', CONFIG('r8'));
    await core.start();
    await writeFile(runtime, 'p.conf', '');
    const reloaded = core.reload();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writeFile(runtime, 'p.conf', CONFIG('r9'));
    await reloaded;
    expect(core.pipelines[0]!.reloads).toMatchObject({ successes: 1, failures: 0 });
    expect(core.pipelines[0]!.pipeline.source.texts[0]?.text).toBe(CONFIG('r9'));
  });

  test('tries a text that failed again when somebody asks for it, or when another one was in between', async () => {
    const { core, runtime } = testAgent(settings);
    const broken = 'input { heartbeat { intervall => 1 } }';
    await writeFile(runtime, 'p.conf', CONFIG('r5'));
    await core.start();
    const failures = async (text: string, isAskedFor: boolean): Promise<number> => {
      await writeFile(runtime, 'p.conf', text);
      await core.reload({ isAskedFor });
      return core.pipelines[0]!.reloads.failures;
    };
    expect(await failures(broken, false)).toBe(1);
    expect(await failures(broken, true)).toBe(2);
    expect(await failures(CONFIG('r6'), false)).toBe(2);
    expect(await failures(broken, false)).toBe(3);
  });

  test('starts a pipeline that was given up when somebody asks for it', async () => {
    const { core, runtime } = testAgent(settings);
    await writeFile(runtime, 'p.conf', CONFIG('r7'));
    await core.start();
    await core.pipelines[0]!.pipeline.stop();
    await core.reload();
    expect(core.pipelines[0]!.pipeline.state).toBe('terminated');
    await core.reload({ isAskedFor: true });
    expect(core.pipelines[0]!.pipeline.state).toBe('running');
  });

  test('goes back to the old configuration when the new inputs cannot start', async () => {
    const { core, runtime } = testAgent(settings);
    await writeFile(runtime, 'p.conf', CONFIG('r4'));
    await core.start();
    const { hash } = core.pipelines[0]!.pipeline;
    await writeFile(runtime, 'p.conf', 'input { unstartable { } } output { null { } }');
    await core.reload();
    expect(core.pipelines[0]!.pipeline).toMatchObject({ hash, state: 'running' });
    expect(core.pipelines[0]!.reloads.lastError?.message).toContain('port taken');
  });

  test('stops pipelines that are gone and starts new ones', async () => {
    const { core, runtime } = testAgent({});
    const entry = (id: string): string => `- pipeline.id: ${id}\n  config.string: '${CONFIG(id)}'\n`;
    await writeFile(runtime, 'pipelines.yml', entry('one') + entry('two'));
    await core.start();
    await writeFile(runtime, 'pipelines.yml', entry('two') + entry('three'));
    await core.reload();
    expect(core.pipelines.map(({ id, pipeline }) => [id, pipeline.state])).toEqual([
      ['two', 'running'],
      ['three', 'running'],
    ]);
  });
});
