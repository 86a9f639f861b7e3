import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { nagiosOutput } from './nagios.ts';

const CHECK = { nagios_host: 'h', nagios_service: 's', message: 'hot\nvery' };

async function written(options: Record<string, unknown>, ...events: readonly Record<string, unknown>[]) {
  const commandfile = join(await temporaryFolder(), 'nagios.cmd');
  writeFileSync(commandfile, '');
  const { output, context } = await start(nagiosOutput, { commandfile, ...options });
  await output.receive(events.map((fields) => event(fields)));
  const text = readFileSync(commandfile, 'utf8').replace(/^\[\d+\]/gm, '[now]');
  return { text, dropped: context.counts.get('dropped') };
}

test.each([
  [{}, {}, 's;2;hot\\nvery'],
  [{ nagios_level: '1' }, {}, 's;1;hot\\nvery'],
  [{}, { nagios_level: 'OK', nagios_annotation: 'note' }, 's;0;note: hot\\nvery'],
  [{}, { nagios_level: ['unknown'], message: null }, 's;3;<no message>'],
  [{}, { nagios_level: 'none' }, 's;2;hot\\nvery'],
  [{}, { nagios_service: 'a;b\n[0] SHUTDOWN' }, 'a_b\\n[0] SHUTDOWN;2;hot\\nvery'],
])('under %j an event with %j is a command', async (options, fields, end) => {
  const { text } = await written(options, { ...CHECK, ...fields });
  expect(text).toBe(`[now] PROCESS_SERVICE_CHECK_RESULT;h;${end}\n`);
});

test('an event without host or service is dropped, and all are where there is no command file', async () => {
  expect(await written({}, { nagios_host: 'h' }, { nagios_service: 's' })).toEqual({ text: '', dropped: 2 });
  expect((await written({ commandfile: '/no/such/file' }, CHECK)).dropped).toBe(1);
});
