import { eventFromJson, eventsOfLines, eventToJsonText, type LogEvent } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { type DataStream, streamDocument } from './data-stream.ts';

const stream: DataStream = {
  type: 'logs',
  dataset: 'web',
  namespace: 'default',
  followsEvent: true,
  writesFields: true,
};
const shaped = (): LogEvent => {
  const prototype = eventFromJson({ message: '', '@timestamp': '2026-01-02T03:04:05Z' });
  return eventsOfLines({ bytes: Buffer.from('a line\n'), prototype })[0] ?? eventFromJson({});
};
const json = (event: LogEvent): Record<string, unknown> =>
  JSON.parse(eventToJsonText(event)) as Record<string, unknown>;
const placed = (data_stream: unknown, changes: Partial<DataStream> = {}): { index: string; written: unknown } => {
  const { index, document } = streamDocument(eventFromJson({ data_stream }), { ...stream, ...changes });
  return { index, written: json(document).data_stream };
};

describe('the data stream of an event', () => {
  test('is named by its fields, and by the options where there are none', () => {
    expect(placed({ namespace: 'x' })).toEqual({
      index: 'logs-web-x',
      written: { type: 'logs', dataset: 'web', namespace: 'x' },
    });
    expect(placed({ namespace: 'x', type: null, dataset: 7 })).toEqual({
      index: 'logs-7-x',
      written: { type: 'logs', dataset: 7, namespace: 'x' },
    });
    expect(placed(undefined).index).toBe('logs-web-default');
  });

  test('is that of the options without routing by the event, and its document says so', () => {
    expect(placed({ namespace: 'x', other: 1 }, { followsEvent: false })).toEqual({
      index: 'logs-web-default',
      written: { type: 'logs', dataset: 'web', namespace: 'default', other: 1 },
    });
  });

  test('leaves other fields beside the names, and takes the place of what holds no fields', () => {
    expect(placed({ other: 1 }).written).toEqual({ type: 'logs', dataset: 'web', namespace: 'default', other: 1 });
    expect(placed('text').written).toEqual({ type: 'logs', dataset: 'web', namespace: 'default' });
    expect(placed(['a']).written).toEqual({ type: 'logs', dataset: 'web', namespace: 'default' });
    expect(placed({ other: 1 }, { writesFields: false }).written).toEqual({ other: 1 });
  });

  test('stands in the document alone: the event goes to other outputs as it came', () => {
    for (const event of [shaped(), eventFromJson({ data_stream: { other: 1 } })]) {
      const before = eventToJsonText(event);
      const { document } = streamDocument(event, stream);
      expect(json(document).data_stream).toMatchObject({ type: 'logs', dataset: 'web', namespace: 'default' });
      expect(eventToJsonText(event)).toBe(before);
    }
  });
});
