import { describe, expect, test } from 'vitest';
import { simulate, simulateOne } from '../../simulate.test-support.ts';

const stream = (dataset: string, namespace = 'default'): object => ({ type: 'logs', dataset, namespace });
const rerouted = (options: object, source: object): unknown =>
  JSON.parse(simulateOne('reroute', options, { _index: 'logs-app-default', ...source }));

describe('reroute', () => {
  test('sends a document to its destination, and leaves out the processors behind it', () => {
    expect(rerouted({ destination: 'elsewhere' }, { a: 1 })).toEqual({ _index: 'elsewhere', a: 1 });
    const processors = [
      { reroute: { destination: 'x', if: 'ctx.a == 2' } },
      { reroute: { destination: 'y' } },
      { set: { field: 'b', value: 1 } },
    ];
    expect(simulate(processors, { a: 2 })).toBe('{"a":2,"_index":"x"}');
    expect(simulate(processors, { a: 1 })).toBe('{"a":1,"_index":"y"}');
  });

  test('takes dataset and namespace from the first source that has a text, and the rest from the name', () => {
    const options = { dataset: ['{{ service.name }}', '{{{other}}}', 'generic'], namespace: '{{env}}' };
    expect(rerouted(options, { service: { name: 'Shop,1-a' }, env: 'a-b' })).toEqual({
      ...{ _index: 'logs-shop_1_a-a-b', service: { name: 'Shop,1-a' }, env: 'a-b' },
      data_stream: stream('shop_1_a', 'a-b'),
    });
    expect(rerouted(options, { service: { name: 5 } })).toMatchObject({ _index: 'logs-generic-default' });
    expect(rerouted(options, { service: 'x', other: 'o' })).toMatchObject({ _index: 'logs-o-default' });
    expect(rerouted({ dataset: '{{none}}' }, {})).toMatchObject({ _index: 'logs-app-default' });
  });

  test('without options it goes by the fields of the data stream, and the dataset of the event follows', () => {
    const source = { data_stream: { dataset: 'd', namespace: 'n' }, event: { dataset: 'old' } };
    expect(rerouted({}, source)).toEqual({
      ...{ _index: 'logs-d-n', data_stream: stream('d', 'n'), event: { dataset: 'd' } },
    });
  });

  test('a value has at most 100 characters', () => {
    expect(rerouted({ dataset: '{{long}}' }, { long: 'x'.repeat(150) })).toMatchObject({
      data_stream: stream('x'.repeat(100)),
    });
  });

  test.each([
    [{}, { _index: 'lib' }, 'invalid data stream name: [lib]; must follow naming scheme <type>-<dataset>-<namespace>'],
    [{ dataset: 'a-b' }, {}, "[dataset] 'a-b' contains disallowed characters"],
    [{ dataset: 'A' }, {}, "[dataset] 'A' contains disallowed characters"],
    [{ namespace: ['n', 'x{{a}}'] }, {}, "[namespace] 'x{{a}}' is not a valid field reference"],
    [{ destination: 'd', dataset: 'x' }, {}, '[destination] can only be set if dataset and namespace are not set'],
  ])('%j of %j is refused', (options, source, reason) => {
    const run = (): string => simulateOne('reroute', options, source);
    let said: string;
    try {
      said = run();
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toBe(reason);
  });
});
