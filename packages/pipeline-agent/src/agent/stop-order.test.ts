import { expect, test } from 'vitest';
import { testAgent, writeFile } from './agent.test-support.ts';
import { inCircles, inStopOrder } from './stop-order.ts';

const entry = (id: string, from: string, to: string): string =>
  `- pipeline.id: ${id}\n  config.string: 'input { ${from} } output { ${to} }'\n`;
const to = (...names: string[]): string => `pipeline { send_to => [${names.map((name) => `"${name}"`).join(', ')}] }`;
const at = (name: string): string => `pipeline { address => "${name}" }`;

async function orderOf(text: string): Promise<readonly (readonly string[])[]> {
  const { core, runtime } = testAgent({});
  await writeFile(runtime, 'pipelines.yml', text);
  await core.start();
  const groups = inStopOrder(core.pipelines.map(({ id, pipeline }) => ({ id, plan: pipeline.plan })));
  return groups.map((group) => group.map(({ id }) => id));
}

test('senders stop before those they send to', async () => {
  const text = [
    entry('last', at('l'), 'null { }'),
    entry('middle', at('m'), to('l')),
    entry('first', 'heartbeat { }', `if [a] { ${to('m', 'l')} }`),
    entry('apart', 'heartbeat { }', 'null { }'),
  ];
  expect(await orderOf(text.join(''))).toEqual([['first', 'apart'], ['middle'], ['last']]);
});

test('those in a circle stop together', async () => {
  expect(await orderOf(entry('a', at('x'), to('y')) + entry('b', at('y'), to('x')))).toEqual([['a', 'b']]);
});

test('those whose events come back to them are warned of', async () => {
  const { core, runtime, log } = testAgent({});
  const text = [
    entry('a', at('x'), to('y')),
    entry('b', at('y'), to('x', 'z')),
    entry('c', at('z'), 'null { }'),
    entry('d', `heartbeat { } ${at('own')}`, `if [never] { ${to('own')} }`),
  ];
  await writeFile(runtime, 'pipelines.yml', text.join(''));
  await core.start();
  const plans = core.pipelines.map(({ id, pipeline }) => ({ id, plan: pipeline.plan }));
  expect(inCircles(plans).map(({ id }) => id)).toEqual(['a', 'b', 'd']);
  const [line] = log.lines.filter(({ message }) => message.startsWith('pipelines send to themselves'));
  expect(line).toMatchObject({ level: 'warn', fields: { pipelines: ['a', 'b', 'd'] } });
});

test('an agent whose pipelines are full of events for each other stops', async () => {
  const { core, runtime } = testAgent({ 'pipeline.batch.size': 5 });
  const text = entry('last', at('l'), 'collect { into => "order" }') + entry('first', 'generator { }', to('l'));
  await writeFile(runtime, 'pipelines.yml', text);
  await core.start();
  const [last, first] = core.pipelines.map(({ pipeline }) => pipeline);
  while ((last?.stats.out ?? 0) < 100) await new Promise((resolve) => setImmediate(resolve));
  await core.stop();
  expect(first?.ledger()).toMatchObject({ inFlight: 0, isBalanced: true, dropped: {} });
  expect(last?.ledger()).toMatchObject({ in: first?.stats.out, inFlight: 0, isBalanced: true });
});
