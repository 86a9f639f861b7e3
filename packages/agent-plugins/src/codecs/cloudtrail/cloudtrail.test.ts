import { eventToJsonText } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample } from '../codec-text.test-support.ts';

const plain = (text: string) =>
  decodeAll(makeCodec('cloudtrail'), text).map((event) => JSON.parse(eventToJsonText(event)));

test('each record is an event of its own time', () => {
  const records = [
    { eventTime: '2014-05-27T23:55:09Z', eventName: 'A', requestParameters: { disableApiTermination: true, x: 1 } },
    { eventTime: '2014-05-27T23:55:10Z', requestParameters: { disableApiTermination: { value: false } } },
    { eventName: 'B', requestParameters: null },
  ];
  const [first, second, third] = plain(JSON.stringify({ Records: records }));
  expect(first).toEqual({
    '@timestamp': '2014-05-27T23:55:09.000Z',
    '@version': '1',
    eventName: 'A',
    requestParameters: { disableApiTermination: { value: true }, x: 1 },
  });
  expect(second.requestParameters).toEqual({ disableApiTermination: { value: false } });
  expect(third.eventName).toBe('B');
});

test.each(['{"Records":[]}', '{"Records":null}', '{"other":1}', ''])('%s has no records', (text) => {
  expect(plain(text)).toEqual([]);
});

test.each(['no json', '[1]'])('%s goes on with a tag', (text) => {
  expect(plain(text)).toMatchObject([{ message: text, tags: ['_jsonparsefailure'] }]);
});

test('it does not encode', () => {
  expect(() => makeCodec('cloudtrail').encode(sample())).toThrow('only decodes');
});
